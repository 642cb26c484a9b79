import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { SkillError } from "@skillholm/core";

const patienceMs = 5000;
// A lock this old belongs to a process that died: a change takes milliseconds.
const staleMs = 30_000;

/** Takes a lock, waiting for whoever holds it; what it gives back releases it. */
export async function waitForLock(path: string): Promise<() => void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const release = tryLock(path);
    if (release !== undefined) return release;
    if (isStale(path)) dropStale(path);
    else if (Date.now() > deadline) {
      throw new SkillError("unavailable", `${path} is held by another process; delete it if none runs.`);
    } else await setTimeout(20);
  }
}

/** The same without waiting: undefined while somebody else holds it. A lock of a dead process is free the next time. */
export function takeLock(path: string): (() => void) | undefined {
  const release = tryLock(path);
  if (release === undefined && isStale(path)) dropStale(path);
  return release;
}

function tryLock(path: string): (() => void) | undefined {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return () => rmSync(path, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return undefined;
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
