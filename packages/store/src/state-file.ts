import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SkillError } from "@skillholm/core";
import { writeAtomically } from "./atomic.ts";
import { makeFolder } from "./folders.ts";

/** A small JSON file that several processes may change: read whole, written under a lock by rename. */
export interface StateFile<T> {
  readonly path: string;
  read(): T;
  update(change: (value: T) => T): Promise<T>;
}

/** `check` turns whatever was in the file into a value, or throws with what is wrong. */
export function createStateFile<T>(path: string, empty: T, check: (value: unknown) => T): StateFile<T> {
  const read = (): T => {
    const text = readIfThere(path);
    if (text === undefined) return empty;
    try {
      return check(JSON.parse(text));
    } catch (error) {
      const reason = (error as Error).message.replace(/\s+/g, " ");
      throw new SkillError("unavailable", `${path} cannot be read (${reason}). Mend it, or delete it to start anew.`);
    }
  };
  const update = async (change: (value: T) => T): Promise<T> => {
    makeFolder(dirname(path));
    const release = await lock(`${path}.lock`);
    try {
      const value = change(read());
      writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`, "owner only");
      return value;
    } finally {
      release();
    }
  };
  return { path, read, update };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SkillError("unavailable", `${path} cannot be read (${(error as Error).message}).`);
  }
}

const patienceMs = 5000;
// A lock this old belongs to a process that died: a change takes milliseconds.
const staleMs = 30_000;

async function lock(path: string): Promise<() => void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isStale(path)) dropStale(path);
    else if (Date.now() > deadline) {
      throw new SkillError("unavailable", `${path} is held by another process; delete it if none runs.`);
    } else await setTimeout(20);
  }
}

function isStale(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > staleMs;
}

// Taken aside first: of two processes that saw the same stale lock, the slower one must not remove the other's new one.
function dropStale(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (isStale(aside)) rmSync(aside, { force: true });
  else linkBack(aside, path);
}

// If somebody took the lock meanwhile, theirs stands.
function linkBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
