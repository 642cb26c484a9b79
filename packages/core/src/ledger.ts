import { SkillError } from "./error.ts";

/** A skill that a conversation has activated. Never its text. */
export interface LedgerActivation {
  /** What reminders call it. */
  readonly reference: string;
  readonly name: string;
  readonly path: string;
  /** sha256 of its `SKILL.md`. */
  readonly hash: string;
  readonly mtimeMs: number;
  readonly arguments?: string;
  readonly section?: string;
  /** The skills whose instructions led to it, the first one first. */
  readonly from?: readonly string[];
  readonly at: string;
  /** How to find in messages what the model was given. */
  readonly given?: GivenText;
  /** Whether the model still has it, as far as is known. */
  readonly inContext: boolean;
}

/** A text that a model was given, without the text. */
export interface GivenText {
  /** The first words, up to the first line break. */
  readonly opening: string;
  readonly length: number;
  /** A sum of the first few hundred characters. */
  readonly start: number;
  readonly hash: string;
}

/** A file of a skill that a conversation has read. */
interface LedgerRead {
  readonly name: string;
  readonly path: string;
  readonly file: string;
  readonly at: string;
}

/** What was decided about a request, and by whom. */
export interface LedgerDecision {
  readonly tool: string;
  readonly skill?: string;
  readonly path?: string;
  /** The script that was to run, and every file of its skill in one hash. */
  readonly script?: string;
  readonly digest?: string;
  readonly decision: "allowed" | "denied";
  readonly by: "rule" | "answer" | "person" | "nobody" | "default";
  /** Where the rule stands. */
  readonly place?: string;
  readonly at: string;
}

/** An answer that holds for the conversation. */
export interface LedgerAnswer {
  readonly tool: string;
  readonly path: string;
  /** Of a yes to scripts: what the skill's files were, and which doors were opened. */
  readonly digest?: string;
  readonly grants?: readonly string[];
}

/** What one conversation did, as plain data: names and hashes only. */
export interface Ledger {
  readonly version: 1;
  readonly activated: readonly LedgerActivation[];
  readonly read: readonly LedgerRead[];
  readonly answers: readonly LedgerAnswer[];
  readonly decisions: readonly LedgerDecision[];
}

export const emptyLedger: Ledger = { version: 1, activated: [], read: [], answers: [], decisions: [] };

// A conversation of days stays small; the latest matter.
const mostKept = 1000;

/** The same with one more, and without the oldest where there are too many. */
export function keepLatest<T>(items: readonly T[], item: T): readonly T[] {
  return [...items, item].slice(-mostKept);
}

/** Takes a ledger that was stored; throws for what is none. */
export function parseLedger(value: unknown): Ledger {
  const { version, activated, read, answers, decisions } = Object(value) as Record<string, unknown>;
  const isRight = version === 1 && [activated, read, answers, decisions].every(isRecords);
  if (isRight && (activated as LedgerActivation[]).every(isActivation)) return value as Ledger;
  throw new SkillError(
    "invalid-input",
    "This is no session of this version: it should be what a session was saved as.",
  );
}

function isRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
}

function isActivation({ reference, name, path, hash, at, given, from = [] }: LedgerActivation): boolean {
  const isGiven = given === undefined || (isText(given?.opening) && isText(given.hash) && given.length >= 0);
  return isGiven && Array.isArray(from) && [reference, name, path, hash, at].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
