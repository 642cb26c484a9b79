import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";
import type { DiagnosticCode } from "./diagnostic.ts";
import { parsePlainYaml } from "./plain-yaml.ts";
import {
  findGluedKey,
  hasUnquotedColon,
  type Repair,
  repairEntry,
  repairUnquotedColon,
  splitEntries,
  type YamlEntry,
} from "./repair.ts";
import { type FieldValue, type Frontmatter, isMap } from "./value.ts";

/** What was wrong in a piece of YAML; `line` and `column` are 1-based within the text. */
export interface YamlProblem {
  readonly code: Extract<DiagnosticCode, "yaml-invalid" | "yaml-repaired" | "key-duplicate" | "nul-byte">;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The top-level key whose value is lost or uncertain, if it is. */
  readonly lost?: string;
}

/** `values` is absent when the text is YAML, but no mapping. */
export interface YamlResult {
  readonly values?: Frontmatter;
  readonly problems: readonly YamlProblem[];
}

/**
 * Text of a frontmatter → values, each with its exact text. The fast reader first, then the YAML library; what the
 * library refuses is read entry by entry, so that one broken line costs one key and not the skill.
 */
export function parseYaml(text: string): YamlResult {
  const normal = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const plain = parsePlainYaml(normal);
  if (plain !== undefined) return { values: plain, problems: none };
  if (hasUnquotedColon(normal)) return parseEntries(normal);
  const whole = tryLoad(normal);
  if (whole.ok && isMap(whole.value)) return { values: whole.value, problems: none };
  if (whole.ok && typeof whole.value !== "string") return { problems: none };
  return parseEntries(normal);
}

const none: readonly YamlProblem[] = [];

type Loaded = { ok: true; value: FieldValue } | { ok: false; reason: string; line: number; column: number };

function tryRead(text: string): Loaded {
  const plain = parsePlainYaml(text);
  return plain === undefined ? tryLoad(text) : { ok: true, value: plain };
}

// Enough for people, too few for a bomb; what they stand for is bounded as well, in characters.
const aliasesAllowed = 20;
const expandedMost = 1_000_000;

/** Characters of a value with every alias written out, found without writing them out; a circle is infinite. */
function expandedSize(value: FieldValue, known = new Map<object, number>()): number {
  if (typeof value === "string") return value.length;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Number.POSITIVE_INFINITY);
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  const size = parts.reduce((sum: number, part: FieldValue) => sum + expandedSize(part, known) + 1, 0);
  known.set(value, size);
  return size;
}

// Strings only (`FAILSAFE_SCHEMA`): nothing is evaluated.
function tryLoad(text: string): Loaded {
  try {
    const value = load(text, { schema: FAILSAFE_SCHEMA, maxAliases: aliasesAllowed }) as FieldValue;
    if (text.includes("&") && expandedSize(value) > expandedMost) {
      return { ok: false, reason: "aliases that make a circle or grow too large", line: 1, column: 1 };
    }
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof YAMLException)) return { ok: false, reason: String(error), line: 1, column: 1 };
    return {
      ok: false,
      reason: error.reason,
      line: (error.mark?.line ?? 0) + 1,
      column: (error.mark?.column ?? 0) + 1,
    };
  }
}

// More keys than anybody writes; past it, text is an attack on time.
const entriesRead = 1000;

function parseEntries(text: string): YamlResult {
  const values: Record<string, FieldValue> = {};
  const problems: YamlProblem[] = [];
  const { entries, detached } = splitEntries(dedent(text));
  for (const entry of entries.slice(0, entriesRead)) {
    const value = readEntry(entry, problems);
    if (value === undefined) continue;
    if (!Object.hasOwn(values, entry.key)) define(values, entry.key, value);
    else problems.push(duplicate(entry, values[entry.key], value));
  }
  if (entries.length === 0) return { problems: unreadable(text) };
  for (const line of detached) {
    problems.push({ code: "yaml-repaired", line, column: 1, message: "text from here on belongs to no key; left out" });
  }
  const next = entries[entriesRead];
  if (next !== undefined) {
    const message = `more than ${entriesRead} keys; the rest is left out`;
    problems.push({ code: "yaml-invalid", line: next.line, column: 1, message, lost: next.key });
  }
  return { values, problems };
}

/** What the library says of a text in which not one key can be found; nothing, if it is YAML of another kind. */
function unreadable(text: string): readonly YamlProblem[] {
  const failed = tryLoad(text);
  if (failed.ok) return [];
  return [{ code: "yaml-invalid", line: failed.line, column: failed.column, message: failed.reason }];
}

// Keys that are all indented by the same blanks are top-level keys.
function dedent(text: string): string {
  const blanks = /^(?:[ ]*\n)*( +)\S/.exec(text)?.[1] ?? "";
  const all = blanks !== "" && text.split("\n").every((line) => line.startsWith(blanks) || line.trim() === "");
  return all ? text.replaceAll(new RegExp(`^${blanks}`, "gm"), "") : text;
}

function readEntry(entry: YamlEntry, problems: YamlProblem[]): FieldValue | undefined {
  const colon = repairUnquotedColon(entry);
  if (colon !== undefined) return acceptRepair(entry, colon, problems);
  const first = tryRead(entry.text);
  if (first.ok && isMap(first.value)) return first.value[entry.key];
  const { reason, line, column } = locate(entry, first);
  if (entry.text.includes("\0")) {
    const message = `NUL byte in "${entry.key}"; the key is left out`;
    problems.push({ code: "nul-byte", line, column, message, lost: entry.key });
    return undefined;
  }
  for (const repair of repairEntry(entry)) {
    const place = { why: reason, line: line - entry.line + 1, column };
    const value = acceptRepair(entry, { ...place, ...repair }, problems);
    if (value !== undefined) return value;
  }
  const message = `${reason} in "${entry.key}"; the key is left out`;
  problems.push({ code: "yaml-invalid", line, column, message, lost: entry.key });
  return undefined;
}

/** The value that a repair gives, reported; undefined if even that is no YAML. */
function acceptRepair(entry: YamlEntry, repair: Required<Repair>, problems: YamlProblem[]): FieldValue | undefined {
  const again = tryRead(repair.text);
  const value = again.ok && isMap(again.value) ? again.value[entry.key] : undefined;
  if (value === undefined || isLoneAlias(value)) return undefined;
  const [first = ""] = entry.text.split("\n", 1);
  const glued = findGluedKey(first.slice(first.indexOf(":") + 1));
  const why = glued === undefined ? repair.why : `${repair.why}; a line break may be missing before "${glued}:"`;
  const message = `${why}; read as: ${shorten(repair.text)}`;
  problems.push({ code: "yaml-repaired", line: entry.line + repair.line - 1, column: repair.column, message });
  return value;
}

// `*base` alone means another value, which is out of reach here.
function isLoneAlias(value: FieldValue): boolean {
  return typeof value === "string" && /^\*[\w-]+$/.test(value);
}

// A fault that only shows at the end of the entry is told at its key, where the cause is.
function locate(entry: YamlEntry, failed: Loaded): { reason: string; line: number; column: number } {
  if (failed.ok) return { reason: "not a key and a value", line: entry.line, column: 1 };
  const lines = entry.text.trimEnd().split("\n").length;
  if (failed.line > lines) return { reason: failed.reason, line: entry.line, column: 1 };
  return { reason: failed.reason, line: entry.line + failed.line - 1, column: failed.column };
}

function duplicate(entry: YamlEntry, kept: FieldValue | undefined, value: FieldValue): YamlProblem {
  const same = JSON.stringify(kept) === JSON.stringify(value);
  const message = same
    ? `"${entry.key}" is written twice with the same value`
    : `"${entry.key}" is written twice with different values; keep one`;
  return {
    code: "key-duplicate",
    line: entry.line,
    column: 1,
    message,
    ...(same ? {} : { lost: entry.key }),
  };
}

function define(values: Record<string, FieldValue>, key: string, value: FieldValue): void {
  Object.defineProperty(values, key, { value, enumerable: true, writable: true, configurable: true });
}

function shorten(text: string): string {
  const line = text.trimEnd().replaceAll("\n", "\\n");
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
