import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import { createFsSource } from "./fs-source.ts";
import { resolveLimits } from "./limits.ts";
import { isMarkdown, type SkillFolder } from "./skill-folder.ts";
import { missingSkill, type Verdict } from "./validate.ts";

// What is larger is no text to read along with a skill; of scripts not more than that in all.
const textBytes = 1024 * 1024;

const script = /\.(?:py|[cm]?[jt]sx?|sh|bash|ps1|rb|pl|php|r|go|rs|json|ya?ml|toml|html?|css)$/i;

/** Reads a skill's folder, given by its path or its `SKILL.md`; a verdict where there is nothing to judge. */
export async function readSkillFolder(given: string): Promise<SkillFolder | Verdict> {
  const target = resolve(given);
  try {
    return await readFolder(target);
  } catch (error) {
    if (error instanceof SkillError) return missingSkill(target, error.message);
    throw error;
  }
}

async function readFolder(target: string): Promise<SkillFolder | Verdict> {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return missingSkill(target, `there is nothing at ${target}`);
  if (!stats.isDirectory() && basename(target) !== skillFile) {
    return missingSkill(target, `${basename(target)} is no skill; give a skill's folder or its ${skillFile}`);
  }
  const path = stats.isDirectory() ? join(target, skillFile) : target;
  const dir = dirname(path);
  const limits = resolveLimits();
  const source = createFsSource();
  const root = { path: dirname(dir), scope: "project", trusted: true, writable: false, links: "anywhere" } as const;
  const realDir = realpathSync(dir);
  const skill = { root, path, dir, realPath: join(realDir, skillFile), realDir };
  const list = await source.files(skill, limits);
  const problem = judgeFile(
    path,
    list.files.map((file) => file.path),
  );
  if (problem !== undefined) return missingSkill(path, problem);
  const { size } = statSync(path);
  if (size > limits.fileBytes) return missingSkill(path, `${skillFile} has ${size} bytes, more than anybody reads`);
  const bytes = new Uint8Array(readFileSync(path));
  let scriptBytes = 0;
  const texts = list.files
    .filter((file) => file.path !== skillFile)
    .map((file): [string, string | undefined] => {
      const isScript = script.test(file.path);
      const isText = (isMarkdown(file.path) || isScript) && file.bytes + (isScript ? scriptBytes : 0) <= textBytes;
      if (isScript && isText) scriptBytes += file.bytes;
      return [file.path, isText ? readText(join(dir, file.path)) : undefined];
    });
  return { path, dir, folder: basename(dir), bytes, files: new Map(texts) };
}

/** Why there is no `SKILL.md` to read, if there is none. A link to one is one. */
function judgeFile(path: string, names: readonly string[]): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return undefined;
  if (stats !== undefined) return `${skillFile} is no regular file`;
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return `${skillFile} is a link that leads nowhere`;
  const other = names.find((name) => name.toLowerCase() === skillFile.toLowerCase());
  const hint = other === undefined ? "" : `; there is ${other}, which should be spelt ${skillFile}`;
  return `the folder has no ${skillFile}${hint}`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
