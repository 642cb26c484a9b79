import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { type ScriptFile, type ScriptRequest, SkillError } from "@skillholm/core";
import { sha256 } from "@skillholm/core/dialect";
import type { RunLimits } from "./limits.ts";

/** The private folder of one run: the skill as it was approved, what it is given, and what it leaves. */
export interface RunFolder {
  readonly path: string;
  readonly skill: string;
  readonly input: string;
  readonly output: string;
  remove(): void;
}

/** The user that a script runs as, where that is not our own. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const prefix = "skillholm-run-";

/** Copies the skill and the inputs; every file is compared with its approved hash, on the bytes that were written. */
export async function layRunFolder(request: ScriptRequest, limits: RunLimits, owner?: Owner): Promise<RunFolder> {
  sweep();
  const path = realpathSync(mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`)));
  const folder: RunFolder = {
    path,
    skill: join(path, "skill"),
    input: join(path, "input"),
    output: join(path, "output"),
    remove: () => removeFolder(path),
  };
  try {
    for (const each of [folder.skill, folder.input, folder.output]) mkdirSync(each);
    await copySkill(request, folder.skill, limits.givenBytes);
    for (const { path: name, content } of request.inputs) writeInput(folder.input, name, content);
    // Others pass by the folder above, which is closed to them; inside the sandbox these are all that there is.
    const own = [folder.output, ...(request.workspace === "copy" ? [folder.skill, ...listFolders(folder.skill)] : [])];
    if (owner !== undefined) for (const each of own) chownSync(each, owner.uid, owner.gid);
    return folder;
  } catch (error) {
    folder.remove();
    throw error;
  }
}

async function copySkill({ hashes, read, name }: ScriptRequest, folder: string, most: number): Promise<void> {
  let room = most;
  for (const [path, hash] of Object.entries(hashes)) {
    // Whatever a source calls its files, none lands outside.
    if (!join(folder, path).startsWith(folder + sep))
      throw new SkillError("path-outside-skill", `"${path}" lies outside.`);
    const bytes = await read(path);
    room -= bytes.length;
    if (room < 0) {
      const message = `"${name}" has more than ${most} bytes of files, too many to run a script of it.`;
      throw new SkillError("resource-too-large", message);
    }
    if ((await sha256(bytes)) !== hash) {
      const message = `"${path}" of "${name}" has changed since the run was approved. Nothing was run.`;
      throw new SkillError("script-not-allowed", message, { name });
    }
    writeFile(join(folder, path), bytes);
  }
}

function writeInput(folder: string, name: string, content: Uint8Array): void {
  if (!/^[^/\\\0]+$/.test(name) || name === "." || name === "..") {
    throw new SkillError("invalid-input", `"${name}" is no name for a file that a script is given.`);
  }
  if (existsSync(join(folder, name))) {
    throw new SkillError("invalid-input", `Two files that the script is given are called "${name}".`);
  }
  writeFile(join(folder, name), content);
}

// What a script may start itself: the mode is no part of what was approved, so that it follows from the bytes.
function writeFile(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  const mode = start.startsWith("#!") || start === "\x7fELF" ? 0o755 : 0o644;
  writeFileSync(path, bytes, { mode, flag: "wx" });
  chmodSync(path, mode);
}

function listFolders(folder: string): readonly string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all.map((entry) => join(entry.parentPath, entry.name));
}

/** What a script left; links and other things that are no files are left out, and what is over a limit. */
export function collectOutput(
  folder: string,
  limits: RunLimits,
): { readonly files: readonly ScriptFile[]; readonly truncated: boolean } {
  const files: ScriptFile[] = [];
  try {
    return { files, truncated: !collectInto(files, folder, limits) };
  } catch {
    // Folders in folders, deeper than a path can say.
    return { files, truncated: true };
  }
}

/** Whether that was all. */
function collectInto(files: ScriptFile[], folder: string, limits: RunLimits): boolean {
  let room = limits.scratchBytes;
  for (const path of walkFiles(folder)) {
    if (files.length >= limits.scratchFiles) return false;
    const content = readRegular(path, room);
    if (content === undefined) return false;
    room -= content.length;
    files.push({ path: relative(folder, path).replaceAll(sep, "/"), content });
  }
  return true;
}

function* walkFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      openUp(path);
      yield* walkFiles(path);
    } else if (entry.isFile()) {
      yield path;
    }
  }
}

function openUp(path: string): void {
  if ((statSync(path).mode & 0o700) !== 0o700) chmodSync(path, 0o700);
}

function readRegular(path: string, most: number): Uint8Array | undefined {
  if ((lstatSync(path).mode & 0o400) === 0) chmodSync(path, 0o600);
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(handle);
    if (size > most) return undefined;
    const bytes = new Uint8Array(size);
    return bytes.subarray(0, size === 0 ? 0 : readSync(handle, bytes, 0, size, 0));
  } finally {
    closeSync(handle);
  }
}

/** How much lies in a folder; stops counting where it is too much. */
export function measureFolder(folder: string, { scratchBytes, scratchFiles }: RunLimits): "fits" | "too much" {
  let [bytes, count] = [0, 0];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      bytes += lstatSync(path).size;
      if (++count > scratchFiles || bytes > scratchBytes) return "too much";
    }
  }
  return "fits";
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A script may close its own folders, and make them deeper than a path can say; these two go step by step.
    for (const line of [
      ["chmod", "-R", "u+rwX"],
      ["rm", "-rf"],
    ] as const) {
      const [program, ...args] = line;
      spawnSync(program, [...args, path], { env: { PATH: "/usr/bin:/bin" }, stdio: "ignore" });
    }
  }
}

let swept = false;

/** Once in a process: what a run left whose program was killed, so that it could not clean up. */
function sweep(): void {
  if (swept) return;
  swept = true;
  const base = tmpdir();
  for (const name of readdirSync(base)) {
    const pid = Number(/^skillholm-run-(\d+)-/.exec(name)?.[1]);
    if (!(pid > 0) || isAlive(pid)) continue;
    try {
      const stats = lstatSync(join(base, name));
      if (stats.isDirectory() && stats.uid === process.getuid?.()) removeFolder(join(base, name));
    } catch {
      // Another program may be sweeping too.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
