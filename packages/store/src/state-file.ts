import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "@skillholm/core";
import { writeAtomically } from "./atomic.ts";
import { makeFolder } from "./folders.ts";
import { waitForLock } from "./lock.ts";

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
    const release = await waitForLock(`${path}.lock`);
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
