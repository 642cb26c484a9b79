import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { join, posix, resolve, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SkillError } from "./error.ts";
import { isInside, reasonOf, tryRealpath, tryStat } from "./fs-path.ts";
import { isFsScan, rescanRoot } from "./fs-rescan.ts";
import { walkRoot } from "./fs-walk.ts";
import { RootWatch } from "./fs-watch.ts";
import type { Limits } from "./limits.ts";
import type { Root } from "./root.ts";
import type { FileEntry, FileList, FileStart, Scan, ScanRequest, SkillRef, Source } from "./source.ts";

/** Skills as folders on disk. */
export function createFsSource(): Source {
  const watches = new Map<Root, RootWatch>();
  return {
    scan: (root, request) => scan(root, request, watches.get(root)),
    files: listFiles,
    read: readFile,
    readStart,
    starts: readStarts,
    watch(root, changed, limits) {
      const watch = watches.get(root) ?? new RootWatch(root, limits.watches);
      watches.set(root, watch);
      const stop = watch.listen(changed);
      return {
        [Symbol.dispose]: () => {
          if (stop() === 0 && watches.get(root) === watch) watches.delete(root);
        },
      };
    },
  };
}

async function scan(root: Root, request: ScanRequest, watch: RootWatch | undefined): Promise<Scan> {
  const { since } = request;
  const parts =
    since !== undefined && isFsScan(since.scan)
      ? await drain(rescanRoot(root, request, since.scan, since.changed, watch))
      : undefined;
  return parts ?? drain(walkRoot(root, request, watch));
}

// Long enough that the pauses cost nothing, short enough that a server stays responsive.
const sliceMs = 10;

async function drain<T>(walk: Generator<void, T>): Promise<T> {
  let pause = performance.now() + sliceMs;
  for (;;) {
    const step = walk.next();
    if (step.done) return step.value;
    if (performance.now() < pause) continue;
    await setImmediate();
    pause = performance.now() + sliceMs;
  }
}

/** Every regular file below the skill's folder; links count when they stay inside. */
async function listFiles(skill: SkillRef, limits: Limits): Promise<FileList> {
  const base = skill.realDir;
  if (tryRealpath(base) !== base)
    throw new SkillError("resource-not-found", `The folder ${skill.dir} is no longer there.`);
  const files: FileEntry[] = [];
  const folders = [""];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of listFolder(join(base, folder))) {
      const path = posix.join(folder.replaceAll(sep, "/"), entry.name);
      if (++seen > limits.files) return { files: sortByPath(files), truncated: true };
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) addFile(files, path, tryStat(join(base, path)));
      else if (entry.isSymbolicLink()) addFile(files, path, linkedFile(base, path, skill.realPath));
    }
  }
  return { files: sortByPath(files), truncated: false };
}

function listFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw new SkillError("unavailable", `Cannot list ${path}: ${reasonOf(error)}.`);
  }
}

// `SKILL.md` itself may be a link to where the scan found it.
function linkedFile(base: string, path: string, skillFile: string): Stats | undefined {
  const real = tryRealpath(join(base, path));
  return real !== undefined && (isInside(real, base) || real === skillFile) ? tryStat(real) : undefined;
}

function addFile(files: FileEntry[], path: string, stats: Stats | undefined): void {
  if (stats?.isFile()) files.push({ path, bytes: stats.size });
}

function sortByPath(files: FileEntry[]): readonly FileEntry[] {
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function readFile(skill: SkillRef, file: string, { fileBytes }: Limits): Promise<Uint8Array> {
  return withOpened(skill, file, (handle, { size }) => {
    if (size <= fileBytes) return readAll(handle, size);
    throw new SkillError("resource-too-large", `"${file}" has ${size} bytes; at most ${fileBytes} are read.`);
  });
}

async function readStart(skill: SkillRef, file: string, bytes: number): Promise<FileStart> {
  return withOpened(skill, file, (handle, { size }) => ({ bytes: readAll(handle, Math.min(size, bytes)), size }));
}

/** Opens first and judges what was opened, so that nothing can be swapped between the check and the read. */
function withOpened<T>(skill: SkillRef, file: string, use: (handle: number, stats: Stats) => T): T {
  // Where the scan found it: a folder that was put in its place since then is another one.
  const base = skill.realDir;
  const path = resolve(base, file);
  if (!isInside(path, base)) throw outside(file);
  const handle = open(path, file);
  try {
    const stats = fstatSync(handle);
    const real = openedPath(handle, path, stats);
    if (real === undefined || (real !== skill.realPath && !isInside(real, base))) throw outside(file);
    if (!stats.isFile()) throw new SkillError("resource-not-found", `"${file}" is no regular file.`);
    return use(handle, stats);
  } finally {
    closeSync(handle);
  }
}

async function readStarts(skills: readonly SkillRef[], bytes: number): Promise<readonly (Uint8Array | undefined)[]> {
  return skills.map(({ realPath }) => {
    try {
      const handle = openSync(realPath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stats = fstatSync(handle);
        if (!stats.isFile() || openedPath(handle, realPath, stats) !== realPath) return undefined;
        const start = new Uint8Array(Math.min(bytes, stats.size));
        return start.subarray(0, readSync(handle, start, 0, start.length, 0));
      } finally {
        closeSync(handle);
      }
    } catch {
      // It is searched by what is known of it.
      return undefined;
    }
  });
}

function open(path: string, file: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new SkillError("resource-not-found", `The skill has no file "${file}".`);
    }
    throw new SkillError("unavailable", `Cannot read "${file}": ${reasonOf(error)}.`, { reason: reasonOf(error) });
  }
}

function readAll(handle: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let count = 0;
  while (count < size) {
    const more = readSync(handle, bytes, count, size - count, count);
    if (more === 0) break;
    count += more;
  }
  return bytes.subarray(0, count);
}

/** Where an open file really lies: from the system where it tells, else by finding the same file at its real path. */
function openedPath(handle: number, path: string, stats: Stats): string | undefined {
  const known = `/proc/self/fd/${handle}`;
  if (existsSync(known)) return readlinkSync(known);
  const real = tryRealpath(path);
  const there = real === undefined ? undefined : tryStat(real);
  return there?.ino === stats.ino && there.dev === stats.dev ? real : undefined;
}

function outside(file: string): SkillError {
  return new SkillError("path-outside-skill", `"${file}" lies outside the skill's folder.`);
}
