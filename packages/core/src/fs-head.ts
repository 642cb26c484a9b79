import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { type Head, readFrontmatter } from "./frontmatter.ts";
import { tryStat } from "./fs-path.ts";
import type { FileStamp } from "./source.ts";

/** A file's frontmatter with what tells one version of the file from another. */
export interface FileHead extends FileStamp {
  readonly head: Head;
}

// One read of 4 KB covers 99.98 % of real frontmatter; only the rest is read further.
const firstRead = 4096;
const buffer = Buffer.allocUnsafe(firstRead);
// Without blocking: a FIFO that was put in the file's place must not hang the scan.
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const decodeBuffer = (start: number, end: number) => buffer.toString("utf8", start, end);
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Reads a file's frontmatter, and no more of the file than needed. Throws what the system throws. */
export function readHead(path: string, limit: number): FileHead {
  const file = openSync(path, openFlags);
  try {
    return readOpened(file, limit);
  } finally {
    closeSync(file);
  }
}

/** The same for a regular file of exactly this name, no link; undefined for anything else. */
export function tryReadHead(path: string, limit: number): FileHead | undefined {
  let file: number;
  try {
    file = openSync(path, openFlags | noFollow);
  } catch {
    return undefined;
  }
  try {
    return readOpened(file, limit);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function readOpened(file: number, limit: number): FileHead {
  const stats = fstatSync(file);
  if (!stats.isFile()) throw new Error("it is no regular file");
  const count = readSync(file, buffer, 0, Math.min(firstRead, limit), 0);
  let head = readFrontmatter(buffer, count, count >= stats.size, decodeBuffer);
  if (head.status === "open" && count < stats.size) head = readFurther(file, limit, stats.size);
  return { head, size: stats.size, mtimeMs: stats.mtimeMs, stamp: stampFrom(stats), inode: stats.ino, beside: 0 };
}

function readFurther(file: number, limit: number, size: number): Head {
  const most = Math.min(limit, size);
  if (most <= firstRead) return readFrontmatter(buffer, most, most >= size);
  for (let length = firstRead * 8; ; length *= 8) {
    const chunk = Buffer.alloc(Math.min(length, most));
    const count = readSync(file, chunk, 0, chunk.length, 0);
    const head = readFrontmatter(chunk, count, count >= size);
    if (head.status !== "open" || count < chunk.length || chunk.length === most) return head;
  }
}

/** A small file beside a skill; undefined where there is none that can be read. */
export function readSmall(path: string, limit = 64 * 1024): Uint8Array | undefined {
  try {
    const file = openSync(path, openFlags | noFollow);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > limit) return undefined;
      const bytes = Buffer.alloc(stats.size);
      return bytes.subarray(0, readSync(file, bytes, 0, stats.size, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The stamp of a file that did not change since it was last read; `no link` is undefined for one that is a link. */
export function tryUnchanged(
  path: string,
  beside: string,
  known: FileStamp | undefined,
  kind: "no link" | "any",
): FileStamp | undefined {
  if (known === undefined || known.stamp === 0) return undefined;
  const now = stampOf(path, beside, kind);
  return now !== undefined && isSameStamp(now, known) ? now : undefined;
}

function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  const same = a.stamp === b.stamp && a.size === b.size && a.mtimeMs === b.mtimeMs;
  return same && a.inode === b.inode && a.beside === b.beside;
}

// What a file's stamp is now, without opening it.
function stampOf(path: string, beside: string, kind: "no link" | "any"): FileStamp | undefined {
  const stats = kind === "any" ? tryStat(path) : lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  const { size, mtimeMs, ino: inode } = stats;
  return { stamp: stampFrom(stats), size, mtimeMs, inode, beside: besideStamp(beside) };
}

/** Changes whenever the file beside a skill's does; not a number when that cannot be promised, so that it equals nothing. */
export function besideStamp(path: string): number {
  const stats = tryStat(path);
  if (stats === undefined) return 0;
  return stampFrom(stats) === 0 ? Number.NaN : stats.ctimeMs + stats.ino;
}

// A file that changed this moment can change again within one tick of the file system's clock, unseen.
const settledMs = 2000;

// The time of the last change to the file in any way, which no program can set.
function stampFrom(stats: Stats): number {
  return stats.ctimeMs > Date.now() - settledMs ? 0 : stats.ctimeMs;
}
