import type { Diagnostic } from "./diagnostic.ts";

/** The specification's lengths, in characters. */
const nameMaximum = 64;
export const descriptionMaximum = 1024;

type NameProblem = Pick<Diagnostic, "code" | "message">;

/** Every way in which a name breaks the specification. An empty list means that it obeys. */
export function validateName(name: string, folder: string): readonly NameProblem[] {
  if (isPlainName(name) && name === folder && name.length <= nameMaximum) return [];
  const problems: NameProblem[] = [];
  if (!isSpecificationName(name)) {
    const message = `name ${JSON.stringify(name)} should be lower-case letters and digits joined by single hyphens`;
    problems.push({ code: "name-invalid", message });
  }
  const length = [...name].length;
  if (length > nameMaximum) {
    problems.push({
      code: "name-too-long",
      message: `name has ${length} characters; at most ${nameMaximum} are allowed`,
    });
  }
  if (name.normalize("NFKC") !== folder.normalize("NFKC")) {
    const message = `name is ${JSON.stringify(name)}, folder is ${JSON.stringify(folder)}; they should be the same`;
    problems.push({ code: "name-mismatch", message });
  }
  return problems;
}

const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function isPlainName(name: string): boolean {
  return plainName.test(name);
}

// Lower-case letters and digits of any script: what is a letter and has no lower form of its own counts as lower-case.
function isSpecificationName(name: string): boolean {
  const normal = name.normalize("NFKC");
  return /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u.test(normal) && normal === normal.toLowerCase();
}
