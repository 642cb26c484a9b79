import { readFrontmatter } from "./frontmatter.ts";
import { findGluedKey, splitEntries, type YamlEntry } from "./repair.ts";
import { specificationKeys, validateName } from "./specification.ts";
import type { Frontmatter } from "./value.ts";
import { parseYaml } from "./yaml.ts";

/** A `SKILL.md` mended where there is one right answer, and what was done. */
export interface Fixed {
  readonly text: string;
  readonly fixes: readonly string[];
}

/**
 * Mends what can be mended without guessing: quotes around one line of text, a name that only its spelling keeps from the
 * folder's, the fences. A line that is not changed stays as it is, to the byte.
 */
export function fixSkill(bytes: Uint8Array, folder: string): Fixed | undefined {
  const text = decode(bytes);
  const head = readFrontmatter(bytes, bytes.length, true);
  // Lines that end with a carriage return alone are from another age: nothing to mend by halves.
  if (text === undefined || head.status !== "closed" || /\r(?!\n)/.test(head.text)) return undefined;
  const lines = text.split("\n");
  const first = head.line - 1;
  const last = first + head.text.split("\n").length - 1;
  const opening = lines[first - 1] ?? "";
  const fixes: string[] = [];
  if (first > 1 || bytes[0] === 0xef) fixes.push('removed what stood before the first "---"');
  const before = lines.slice(first, last);
  const after = fixName(fixEntries(before, fixes), folder, opening, fixes);
  if (head.longFence) fixes.push('closed the frontmatter with "---"');
  if (fixes.length === 0 || !saysTheSame(before, after)) return undefined;
  const closing = head.longFence ? `---${endOf(lines[last])}` : (lines[last] ?? "");
  return { text: [opening, ...after, closing, ...lines.slice(last + 1)].join("\n"), fixes };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function endOf(line = ""): string {
  return line.endsWith("\r") ? "\r" : "";
}

function read(lines: readonly string[]) {
  return parseYaml(`${lines.map((line) => line.replace(/\r$/, "")).join("\n")}\n`);
}

/** Text on one line that is no YAML is put in quotes; `Name` becomes `name`. */
function fixEntries(lines: readonly string[], fixes: string[]): readonly string[] {
  const { values = {}, problems } = read(lines);
  const { entries, detached } = splitEntries(lines.map((line) => line.replace(/\r$/, "")).join("\n"));
  const keys = entries.map(({ key }) => key.toLowerCase());
  if (detached.length > 0 || new Set(keys).size < keys.length) return lines;
  const fixed = [...lines];
  for (const entry of entries) {
    const isBroken = problems.some(({ code, line }) => code === "yaml-repaired" && line === entry.line);
    const now = fixEntry(entry, values, isBroken, fixes);
    if (now !== undefined) fixed[entry.line - 1] = now + endOf(lines[entry.line - 1]);
  }
  return fixed;
}

/** The entry's first line as it should be; undefined where it can stay. */
function fixEntry(
  { key, text }: YamlEntry,
  values: Frontmatter,
  isBroken: boolean,
  fixes: string[],
): string | undefined {
  const [own = "", ...more] = text.trimEnd().split("\n");
  const right = key.toLowerCase();
  const isCapital = right !== key && values[right] === undefined && (right === "name" || right === "description");
  const quoted = isBroken && more.length === 0 ? quote(own, right, values[key]) : undefined;
  if (quoted !== undefined) fixes.push(`put "${key}" in quotes`);
  if (isCapital) fixes.push(`wrote "${key}" as "${right}"`);
  return isCapital ? (quoted ?? own).replace(key, right) : quoted;
}

// What can only be text; where a line could be read in another way, or shows less than it holds, it is left.
function quote(line: string, key: string, value: unknown): string | undefined {
  const raw = line.slice(line.indexOf(":") + 1).trim();
  const isText = specificationKeys.includes(key) && key !== "metadata";
  const isPlain =
    value === raw && !/\s#|^[{&*!|>"']|^-(?: |$)|^\[.*\]$|\t/.test(raw) && !/[\p{Cc}\p{Cn}\p{Cs}]/u.test(raw);
  return isText && isPlain && findGluedKey(raw) === undefined
    ? `${line.slice(0, line.indexOf(":"))}: ${JSON.stringify(raw)}`
    : undefined;
}

/** The folder's name, where the name is missing or is the same but for its spelling. */
function fixName(lines: readonly string[], folder: string, opening: string, fixes: string[]): readonly string[] {
  const { values, problems } = read(lines);
  const isSound = values !== undefined && problems.length === 0 && validateName(folder, folder).length === 0;
  if (!isSound) return lines;
  const at = lines.findIndex((line) => /^name\s*:/.test(line));
  if (values.name === undefined && at < 0 && values.description !== undefined && /^\w/.test(lines.at(-1) ?? "")) {
    fixes.push(`added the name "${folder}", which is the folder's`);
    return [`name: ${asYaml(folder)}${endOf(opening)}`, ...lines];
  }
  const { name } = values;
  const [, key = "", written = "", rest = ""] = /^(name\s*:\s*)(.*?)(\s+#.*|\s*)$/.exec(lines[at] ?? "") ?? [];
  const isWhole = written === name || written === `"${name}"` || written === `'${name}'`;
  if (typeof name !== "string" || !isWhole || name === folder || spell(name) !== folder) return lines;
  fixes.push(`wrote the name "${name}" as "${folder}"`);
  return lines.with(at, `${key}${asYaml(folder)}${rest}`);
}

/** Small letters, and hyphens for whatever stands between words. */
function spell(name: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).join("-");
}

// Some names are numbers or truths to other readers of YAML.
function asYaml(name: string): string {
  const isPlain = /^\p{L}/u.test(name) && !/^(true|false|yes|no|on|off|y|n|null)$/.test(name);
  return isPlain ? name : JSON.stringify(name);
}

/** Whether every value but the name is as it was, and nothing became harder to read. */
function saysTheSame(before: readonly string[], after: readonly string[]): boolean {
  const [old, now] = [read(before), read(after)];
  const values = ({ values = {} }: typeof old) =>
    JSON.stringify(
      Object.entries(values).flatMap(([key, value]) => (/^name$/i.test(key) ? [] : [[key.toLowerCase(), value]])),
    );
  return values(old) === values(now) && now.problems.length <= old.problems.length;
}
