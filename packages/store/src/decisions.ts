import { closeSync, constants, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillholm/core";
import { makeFolder, stateFolder } from "./folders.ts";
import { takeLock } from "./lock.ts";

/** What a tool was about to do, whether it might, and by whose word. */
export interface Decision {
  /** ISO 8601. */
  readonly at: string;
  readonly profile: string;
  readonly tool: string;
  /** The skill's name. */
  readonly skill?: string;
  /** The file that was asked for. */
  readonly path?: string;
  readonly decision: "allowed" | "denied";
  readonly by: "rule" | "answer" | "person" | "nobody" | "default";
  /** Where the rule stands. */
  readonly place?: string;
}

/** What was allowed and denied, for who looks back. */
export interface DecisionLog {
  /**
   * Never fails what it is told about. It resolves with the problem where the log could not be written, because a log
   * that stops in silence would be believed.
   */
  add(decisions: readonly Decision[]): Promise<string | undefined>;
  /** At most so many, the newest last; lines that are no decision are skipped. */
  recent(count: number): readonly Decision[];
}

// Kept twice at most: in this file, and in the one before it.
const mostBytes = 1024 * 1024;
// A model may ask for any text as a path.
const longestText = 1000;

export function createDecisionLog(folder: string = stateFolder()): DecisionLog {
  const path = join(folder, "decisions.jsonl");
  const older = join(folder, "decisions.1.jsonl");
  return {
    add: async (decisions) => {
      if (decisions.length === 0) return undefined;
      try {
        makeFolder(folder);
        const text = decisions.map((decision) => `${JSON.stringify(decision, cutText)}\n`).join("");
        beginAnew(path, older, Buffer.byteLength(text));
        append(path, text);
        return undefined;
      } catch (error) {
        return `${path} cannot be written (${(error as Error).message}).`;
      }
    },
    recent: (count) => {
      const now = readDecisions(path);
      const all = now.length >= count ? now : [...readDecisions(older), ...now];
      return all.slice(Math.max(0, all.length - Math.max(0, count)));
    },
  };
}

function cutText(_: string, value: unknown): unknown {
  return typeof value === "string" && value.length > longestText ? `${value.slice(0, longestText)}…` : value;
}

/** Moves a full file away. Looked at again under the lock: what another process has just begun is not moved. */
function beginAnew(path: string, older: string, more: number): void {
  const isFull = () => {
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    return size > 0 && size + more > mostBytes;
  };
  if (!isFull()) return;
  // Whoever holds it does the same; a log that is a little too long meanwhile hurts nobody.
  const release = takeLock(`${path}.lock`);
  try {
    if (release !== undefined && isFull()) renameSync(path, older);
  } finally {
    release?.();
  }
}

/** One write at the end, so that lines of several processes do not mix. */
function append(path: string, text: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  try {
    const { size } = fstatSync(file);
    const last = Buffer.from("\n");
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    // Half a line, of a process that died or a full disk, must not take the next one with it.
    const bytes = Buffer.from(last.toString() === "\n" ? text : `\n${text}`);
    const written = writeSync(file, bytes);
    if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
  } finally {
    closeSync(file);
  }
}

function readDecisions(path: string): readonly Decision[] {
  return readEnd(path).split("\n").flatMap(parseDecision);
}

/** The last bytes of a file, however long it is; nothing where there is none. */
function readEnd(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const bytes = new Uint8Array(Math.min(size, 2 * mostBytes));
    const count = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return new TextDecoder().decode(bytes.subarray(0, count));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "";
    throw new SkillError("unavailable", `${path} cannot be read (${message}).`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function parseDecision(line: string): readonly Decision[] {
  try {
    const value: unknown = JSON.parse(line);
    return isDecision(value) ? [value] : [];
  } catch {
    return [];
  }
}

const outcomes: readonly unknown[] = ["allowed", "denied"] satisfies Decision["decision"][];
const deciders: readonly unknown[] = ["rule", "answer", "person", "nobody", "default"] satisfies Decision["by"][];

function isDecision(value: unknown): value is Decision {
  const { at, profile, tool, skill = "", path = "", decision, by, place = "" } = Object(value) as Partial<Decision>;
  const areTexts = [at, profile, tool, skill, path, place].every((each) => typeof each === "string");
  return areTexts && outcomes.includes(decision) && deciders.includes(by);
}
