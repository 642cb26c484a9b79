import { adviseSkill } from "./advise.ts";
import { bodyOf } from "./body.ts";
import { compareDiagnostics, type Diagnostic, type DiagnosticCode } from "./diagnostic.ts";
import { type Head, isUtf8, readFrontmatter } from "./frontmatter.ts";
import { parseSkill } from "./parse.ts";
import { standardPolicy } from "./policy.ts";
import { lineOfKey } from "./report.ts";
import type { SkillFolder } from "./skill-folder.ts";
import { compatibilityMaximum, descriptionMaximum, specificationKeys, validateName } from "./specification.ts";
import { type FieldValue, type Frontmatter, isMap } from "./value.ts";
import { parseYaml } from "./yaml.ts";

/** What the specification says of one skill: valid, unless there is an error. Warnings are advice beyond its letter. */
export interface Verdict {
  readonly path: string;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Judges a skill by the specification to the letter. The same parser that loads it, with nothing forgiven. */
export function validateSkill(skill: SkillFolder): Verdict {
  const head = readFrontmatter(skill.bytes, skill.bytes.length, true);
  const diagnostics = [...readStrictly(skill, head), ...judgePlace(skill, head)];
  if (head.status === "closed") {
    const values = parseYaml(head.text).values ?? {};
    const at: LineOf = (key, inner) => Math.max(head.line - 1, head.line + lineOfKey(head.text, key, inner));
    diagnostics.push(...judgeName(values, skill, at, diagnostics), ...judgeFields(values, skill.path, at));
    diagnostics.push(...judgeLength(values, skill.path, at, diagnostics));
    const lines = {
      description: at("description"),
      tools: at("allowed-tools"),
      body: firstBodyLine(skill.bytes, head),
    };
    diagnostics.push(...adviseSkill(skill, values, bodyOf(skill.bytes), lines));
  }
  diagnostics.sort(compareDiagnostics);
  return { path: skill.path, valid: !diagnostics.some(({ severity }) => severity === "error"), diagnostics };
}

/** The line on which the instructions begin, blank lines after the frontmatter left out. */
function firstBodyLine(bytes: Uint8Array, head: Head): number {
  const lines = new TextDecoder().decode(bytes).split(/\r\n?|\n/);
  let line = head.line + head.text.split(/\r\n?|\n/).length;
  while (line < lines.length && lines[line - 1]?.trim() === "") line++;
  return line;
}

/** The verdict on a folder without the one file that makes it a skill. */
export function missingSkill(path: string, message: string): Verdict {
  return { path, valid: false, diagnostics: [{ code: "file-missing", severity: "error", path, message }] };
}

// Valid YAML, or another client's file: loading tells of them, the specification does not forbid them.
const tolerated: ReadonlySet<DiagnosticCode> = new Set(["description-cut", "trigger-pattern", "openai-yaml"]);

function readStrictly({ path, dir, folder, bytes }: SkillFolder, head: Head): readonly Diagnostic[] {
  const root = { path: dir, scope: "project", trusted: true, writable: false, links: "inside" } as const;
  const stamp = { size: bytes.length, mtimeMs: 0, stamp: 0, inode: 0, beside: 0 };
  const candidate = { root, path, dir, folder, realPath: path, realDir: dir, linked: false, ...stamp };
  const policy = {
    ...standardPolicy,
    names: "reject",
    folderNames: "reject",
    descriptions: "reject",
    unknownKeys: "ignore",
  } as const;
  return parseSkill(candidate, head, policy).diagnostics.map((each) => {
    if (tolerated.has(each.code)) return each;
    // Loading takes the folder's, which is no way out here.
    const message =
      each.code === "name-missing" ? `there is no name; it should be the folder's, "${folder}"` : each.message;
    return { ...each, severity: "error", message };
  });
}

function judgePlace({ path, bytes }: SkillFolder, head: Head): readonly Diagnostic[] {
  if (head.status === "closed" && !head.broken && !isUtf8(bytes)) {
    const message = "the instructions hold bytes that are no UTF-8; save the file as UTF-8";
    return [{ code: "encoding", severity: "error", path, message }];
  }
  if (head.status === "none") return [];
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb;
  if (!mark && head.line === 2) return [];
  const what = mark ? "a byte order mark" : "blank lines";
  const message = `there are ${what} before the first "---"; the file should begin with it`.replace("are a", "is a");
  return [{ code: "frontmatter-not-first", severity: "error", path, line: 1, column: 1, message }];
}

/** Of a key, or of one within it. */
type LineOf = (key: string, inner?: string) => number;

/** The parser leaves the name alone when something else is wrong; a person wants to hear of both. */
function judgeName(
  { name }: Frontmatter,
  { path, folder }: SkillFolder,
  at: LineOf,
  told: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (typeof name !== "string" || name.trim() === "" || told.some(({ code }) => code.startsWith("name-"))) return [];
  return validateName(name.trim(), folder).map((problem) => {
    return { ...problem, severity: "error", path, line: at("name"), column: 1 };
  });
}

/** Loading takes blanks and line ends off a description; the specification counts what YAML gives. */
function judgeLength(
  { description }: Frontmatter,
  path: string,
  at: LineOf,
  told: readonly Diagnostic[],
): readonly Diagnostic[] {
  const length = typeof description === "string" && description.trim() !== "" ? [...description].length : 0;
  const code = "description-too-long";
  if (length <= descriptionMaximum || told.some((each) => each.code === code)) return [];
  const message = `description has ${length} characters with its blanks and line ends; at most ${descriptionMaximum} are allowed`;
  return [{ code, severity: "error", path, line: at("description"), column: 1, message }];
}

function judgeFields(values: Frontmatter, path: string, at: LineOf): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (key: string, code: DiagnosticCode, message: string, inner?: string) =>
    found.push({ code, severity: "error", path, line: at(key, inner), column: 1, message });
  for (const key of Object.keys(values)) {
    if (specificationKeys.includes(key) || isCapital(key, values)) continue;
    const known = specificationKeys.join(", ");
    const way = typeof values[key] === "string" ? "" : " as one text";
    add(
      key,
      "key-unknown",
      `"${key}" is no key of the specification (${known}); put it under "metadata"${way}, or leave it out`,
    );
  }
  for (const key of ["license", "allowed-tools"]) {
    const value = values[key];
    if (value === undefined || typeof value === "string") continue;
    const way = key === "license" ? "one line of text" : "one line of text, with spaces between the tools";
    add(key, "field-type", `${key} should be ${way}`);
  }
  const { compatibility, metadata } = values;
  if (compatibility !== undefined) {
    const problem = judgeCompatibility(compatibility);
    if (problem !== undefined) add("compatibility", "compatibility-invalid", problem);
  }
  if (metadata !== undefined) {
    const { problem, key } = judgeMetadata(metadata);
    if (problem !== undefined) add("metadata", "metadata-invalid", problem, key);
  }
  return found;
}

// `Name` and `Description` are told as what they are: the right key in capitals.
function isCapital(key: string, values: Frontmatter): boolean {
  const right = key.toLowerCase();
  return right !== key && (right === "name" || right === "description") && values[right] === undefined;
}

function judgeCompatibility(value: FieldValue): string | undefined {
  if (typeof value !== "string") return "compatibility should be one text";
  const length = value.trim() === "" ? 0 : [...value].length;
  if (length > 0 && length <= compatibilityMaximum) return undefined;
  return `compatibility has ${length} characters; 1 to ${compatibilityMaximum} are allowed. Leave it out where there is nothing to say`;
}

function judgeMetadata(value: FieldValue): { readonly problem?: string; readonly key?: string } {
  if (!isMap(value)) return { problem: "metadata should be keys with a text each" };
  const key = Object.entries(value).find(([, item]) => typeof item !== "string")?.[0];
  return key === undefined ? {} : { problem: `metadata "${key}" should be one text, not a list or more keys`, key };
}
