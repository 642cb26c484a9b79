import type { Diagnostic } from "./diagnostic.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { findReferences } from "./references.ts";
import { isMarkdown, type SkillFolder } from "./skill-folder.ts";

/** A remark on a skill's files; `line` is 1-based in the instructions. */
export type FileAdvice = Pick<Diagnostic, "code" | "message"> & { readonly line: number };

type Files = SkillFolder["files"];

// More than anybody mends at once.
const adviceMost = 20;

/** Files that are named and missing, too far away, or there for nothing. */
export function adviseFiles({ files, bytes }: SkillFolder, body: string): readonly FileAdvice[] {
  const named = new Map<string, number>();
  for (const { path, line } of findReferences(body)) if (!named.has(path)) named.set(path, line);
  const nested = findNested(files, named);
  const missing = [...named].filter(([path]) => !exists(files, path));
  const own = `${readFrontmatter(bytes, bytes.length, true).text}\n${body}`;
  const unmentioned = [...files.keys()].filter(
    (file) => !nested.has(file) && isContent(file) && !isMentioned(file, own, files),
  );
  const advice: FileAdvice[] = [
    ...missing.map(([path, line]) => {
      return { code: "reference-missing", line, message: `there is no "${path}" in the skill` } as const;
    }),
    ...[...nested].map(([path, file]) => {
      const message = `"${path}" is named only in "${file}"; name it in SKILL.md too, so that it is one step away`;
      return { code: "reference-nested", line: 1, message } as const;
    }),
    ...unmentioned.map((file) => {
      return { code: "file-unmentioned", line: 1, message: `nothing in the skill mentions "${file}"` } as const;
    }),
  ];
  return advice.slice(0, adviceMost);
}

/** Files that only another file names, and which one. */
function findNested(files: Files, named: ReadonlyMap<string, number>): ReadonlyMap<string, string> {
  const nested = new Map<string, string>();
  for (const [file, text] of files) {
    if (text === undefined || !named.has(file) || !isMarkdown(file)) continue;
    const folder = file.split("/").slice(0, -1).join("/");
    for (const { path } of findReferences(text, folder)) {
      if (files.has(path) && !named.has(path) && path !== file) nested.set(path, file);
    }
  }
  return nested;
}

function exists(files: Files, path: string): boolean {
  return path === "SKILL.md" || files.has(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`));
}

/** Files that are there for the model: not licences, not hidden ones, not other clients' or tests'. */
function isContent(file: string): boolean {
  return !/(^|\/)(\.|LICEN[CS]E|NOTICE|README|CHANGELOG|__init__|__pycache__|node_modules)|^(agents|evals|tests?)\//i.test(
    file,
  );
}

/** By its path, its own name, or a folder that it lies in. */
function isMentioned(file: string, own: string, files: Files): boolean {
  const texts = [own, ...[...files].flatMap(([path, text]) => (path === file ? [] : (text ?? [])))];
  const [name = "", ...above] = file.split("/").toReversed();
  const folders = above.toReversed().map((_, index, all) => `${all.slice(0, index + 1).join("/")}/`);
  return texts.some((text) => text.includes(name) || folders.some((folder) => mentionsFolder(text, folder)));
}

// `references/` alone stands for all that is in it; `references/other.md` does not.
function mentionsFolder(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    if (!/[\w.-]/.test(text[at + folder.length] ?? "")) return true;
  }
  return false;
}
