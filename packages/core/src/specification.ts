import type { Diagnostic } from "./diagnostic.ts";

/** The specification's lengths, in characters. */
const nameMaximum = 64;
export const descriptionMaximum = 1024;
export const compatibilityMaximum = 500;

/** The keys that the specification knows. */
export const specificationKeys: readonly string[] = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
];

type NameProblem = Pick<Diagnostic, "code" | "message">;

/** Whether a name has no other letters than a to z. */
export function isPlainName(name: string): boolean {
  return plainName.test(name);
}

/** Every way in which a name breaks the specification. An empty list means that it obeys. */
export function validateName(name: string, folder: string): readonly NameProblem[] {
  if (isPlainName(name) && name === folder && name.length <= nameMaximum) return [];
  const problems: NameProblem[] = [];
  if (!isSpecificationName(name)) {
    const message = `name ${JSON.stringify(name)} should be lower-case letters and digits joined by single hyphens`;
    problems.push({ code: "name-invalid", message });
  }
  const length = [...name.normalize("NFKC")].length;
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

// Lower-case letters and digits of any script: what is a letter and has no lower form of its own counts as lower-case.
// Marks that do not melt into a letter are neither, as the specification's own validator has it.
function isSpecificationName(name: string): boolean {
  const normal = name.normalize("NFKC");
  return /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(normal) && normal === normal.toLowerCase();
}
