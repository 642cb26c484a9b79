import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Where the program keeps what it remembers. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  const base = env.XDG_STATE_HOME;
  return join(base ? resolve(base) : join(home, ".local/state"), "skillholm");
}

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
      throw new Error(`${path} cannot be read (${(error as Error).message}). Mend it, or delete it to start anew.`);
    }
  };
  const update = async (change: (value: T) => T): Promise<T> => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const release = await lock(`${path}.lock`);
    try {
      const value = change(read());
      writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`);
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
    throw error;
  }
}

function writeAtomically(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
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
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleMs) rmSync(path, { force: true });
    else if (Date.now() > deadline) throw new Error(`${path} is held by another process; delete it if none runs.`);
    else await setTimeout(20);
  }
}
