import { readFrontmatter } from "./frontmatter.ts";
import { splitEntries, type YamlEntry } from "./repair.ts";
import { validateName } from "./specification.ts";
import type { Frontmatter } from "./value.ts";
import { parseYaml } from "./yaml.ts";

/** A `SKILL.md` mended where there is one right answer, and what was done. */
export interface Fixed {
  readonly text: string;
  readonly fixes: readonly string[];
}

/** Mends what can be mended without guessing: quoting, names that only the spelling keeps from the folder's, the fences. */
export function fixSkill(bytes: Uint8Array, folder: string): Fixed | undefined {
  const text = decode(bytes);
  const head = readFrontmatter(bytes, bytes.length, true);
  // Lines that end with a carriage return alone are from another age: nothing to mend by halves.
  if (text === undefined || head.status !== "closed" || /\r(?!\n)/.test(head.text)) return undefined;
  const fixes: string[] = [];
  const lines = text.split("\n");
  const first = head.line - 1;
  if (first > 1 || bytes[0] === 0xef) fixes.push('removed what stood before the first "---"');
  const lineCount = head.text.split("\n").length - 1;
  const before = lines.slice(first, first + lineCount).map((line) => line.replace(/\r$/, ""));
  const after = fixName(fixEntries(before, fixes), folder, fixes);
  const fence = lines[first + lineCount] ?? "";
  if (head.longFence) fixes.push('closed the frontmatter with "---"');
  if (fixes.length === 0 || !saysTheSame(before, after)) return undefined;
  const end = fence.endsWith("\r") ? "\r" : "";
  const closing = head.longFence ? `---${end}` : fence;
  const rest = lines.slice(first + lineCount + 1);
  return { text: [`---${end}`, ...after.map((line) => line + end), closing, ...rest].join("\n"), fixes };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Entries that are no YAML are written as what they were read as; `Name` becomes `name`. */
function fixEntries(lines: readonly string[], fixes: string[]): readonly string[] {
  const { values = {}, problems } = parseYaml(`${lines.join("\n")}\n`);
  const { entries, detached } = splitEntries(lines.join("\n"));
  if (detached.length > 0 || entries.length === 0) return lines;
  const head = lines.slice(0, (entries[0]?.line ?? 1) - 1);
  return [...head, ...entries.flatMap((entry) => fixEntry(entry, values, problems, fixes))];
}

function fixEntry(
  entry: YamlEntry,
  values: Frontmatter,
  problems: ReturnType<typeof parseYaml>["problems"],
  fixes: string[],
): readonly string[] {
  const lines = entry.text.replace(/\n$/, "").split("\n");
  const isBroken = problems.some(
    ({ code, line }) => code === "yaml-repaired" && line >= entry.line && line < entry.line + lines.length,
  );
  const value = values[entry.key];
  const right = entry.key.toLowerCase();
  const isCapital = right !== entry.key && ["name", "description"].includes(right) && values[right] === undefined;
  const key = isCapital ? right : entry.key;
  if (isCapital) fixes.push(`wrote "${entry.key}" as "${right}"`);
  if (isBroken && typeof value === "string") {
    fixes.push(`put "${entry.key}" in quotes`);
    return [`${key}: ${JSON.stringify(value)}`];
  }
  return isCapital ? [(lines[0] ?? "").replace(entry.key, key), ...lines.slice(1)] : lines;
}

/** The folder's name, where the name is missing or is the same but for its spelling. */
function fixName(lines: readonly string[], folder: string, fixes: string[]): readonly string[] {
  if (validateName(folder, folder).length > 0) return lines;
  const { name } = parseYaml(`${lines.join("\n")}\n`).values ?? {};
  const at = lines.findIndex((line) => /^(["']?)name\1\s*:/.test(line));
  if (name === undefined && at < 0) {
    fixes.push(`added the name "${folder}", which is the folder's`);
    return [`name: ${folder}`, ...lines];
  }
  if (typeof name !== "string" || name === folder || spell(name) !== folder || isLong(lines, at)) return lines;
  fixes.push(`wrote the name "${name}" as "${folder}"`);
  return lines.with(at, `name: ${folder}`);
}

/** Small letters, and hyphens for whatever stands between words. */
function spell(name: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).join("-");
}

// A value that goes on below its key is nothing to cut short.
function isLong(lines: readonly string[], at: number): boolean {
  return /^\s+\S/.test(lines[at + 1] ?? "");
}

/** Whether every value but the name is as it was. */
function saysTheSame(before: readonly string[], after: readonly string[]): boolean {
  const read = (lines: readonly string[]) => {
    const values = Object.entries(parseYaml(`${lines.join("\n")}\n`).values ?? {});
    return JSON.stringify(values.map(([key, value]) => [key.toLowerCase(), value]).filter(([key]) => key !== "name"));
  };
  return read(before) === read(after) && parseYaml(`${after.join("\n")}\n`).problems.length <= countProblems(before);
}

function countProblems(lines: readonly string[]): number {
  return parseYaml(`${lines.join("\n")}\n`).problems.length;
}
