import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname, extname, resolve, sep } from "node:path";
import { type Bundle, bundleSkills, type Skill, SkillError, type Skills } from "@skillholm/core";
import { writeAtomically } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { harmless, plural } from "../terminal.ts";

export interface BundleCommandOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** Writes skills as one module for applications without a disk; without a file, to the standard output. */
export async function runBundle(
  context: Context,
  names: readonly string[],
  { out = "-", force = false }: BundleCommandOptions,
): Promise<number> {
  const { engine } = context;
  const path = out === "-" ? undefined : targetPath(out, engine.cwd);
  const skills = await context.skills();
  const chosen = chooseSkills(skills, names, engine.cwd);
  if (path !== undefined) checkPlace(path, chosen);
  const language = path !== undefined && /\.m?ts$/i.test(path) ? "typescript" : "javascript";
  const bundle = await bundleSkills(skills, chosen, { language });
  if (path !== undefined) write(path, bundle.text, force);
  await report(context, bundle, chosen, path);
  return 0;
}

function targetPath(out: string, cwd: string): string {
  if (out === "") throw new SkillError("invalid-input", "--out: an empty text names no file");
  const kind = extname(out).toLowerCase();
  if (![".cjs", ".cts", ".json"].includes(kind)) return resolve(cwd, out);
  throw new SkillError("invalid-input", `--out: a bundle is an ES module, which ${kind} is not. Name it .js or .ts.`);
}

/** Those that are named, or all that a model may see; each once. */
function chooseSkills(skills: Skills, names: readonly string[], cwd: string): readonly Skill[] {
  const chosen =
    names.length === 0
      ? skills.session().visible()
      : [...new Set(names.map((name) => skills.find(toReference(skills, name, cwd))))];
  if (chosen.length > 0) return chosen;
  throw new SkillError("skill-not-found", "There is no skill to bundle. See: skillholm list.");
}

// It would be a file of that skill the next time, with itself in it.
function checkPlace(path: string, chosen: readonly Skill[]): void {
  const around = chosen.find(({ dir, realDir }) => [dir, realDir].some((each) => path.startsWith(each + sep)));
  if (around === undefined) return;
  throw new SkillError("invalid-input", `--out: ${path} lies in the skill "${around.name}". Write it elsewhere.`);
}

function write(path: string, text: string, force: boolean): void {
  try {
    checkTarget(path, text.slice(0, text.indexOf("\n")), force);
    writeAtomically(path, text, "as before");
  } catch (error) {
    if (error instanceof SkillError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new SkillError("invalid-input", `--out: there is no folder ${dirname(path)}`);
    throw new SkillError("unavailable", `${path} cannot be written (${message}).`);
  }
}

/** Refuses to replace what is no bundle, by its first line. */
function checkTarget(path: string, mark: string, force: boolean): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) throw new SkillError("invalid-input", `--out: ${path} is no regular file`);
  if (force || startOf(path, mark.length) === mark) return;
  throw new SkillError("invalid-input", `--out: ${path} is there and is no bundle. To replace it, add --force.`);
}

function startOf(path: string, length: number): string {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(length);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes, 0, length, 0)));
  } finally {
    closeSync(file);
  }
}

async function report(
  { json, terminal }: Context,
  { text, files }: Bundle,
  chosen: readonly Skill[],
  path: string | undefined,
): Promise<void> {
  const bytes = Buffer.byteLength(text);
  const facts = { skills: chosen.map(({ name }) => name).sort(), files, bytes };
  const counts = `${plural(chosen.length, "skill")}, ${plural(files, "file")}, ${plural(bytes, "byte")}`;
  if (json) await terminal.printJson(path === undefined ? { ...facts, text } : { path, ...facts });
  else if (path !== undefined) terminal.print(harmless(`Wrote ${path}: ${counts}`));
  else {
    terminal.print(text.trimEnd());
    terminal.note(counts);
  }
}
