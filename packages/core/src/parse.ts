import type { Diagnostic } from "./diagnostic.ts";
import { readFields, readOpenaiFields, readText, type SkillFields } from "./fields.ts";
import type { Head } from "./frontmatter.ts";
import { resolveLimits } from "./limits.ts";
import type { Policy } from "./policy.ts";
import type { Root } from "./root.ts";
import type { Skill } from "./skill.ts";
import type { Candidate } from "./source.ts";
import { descriptionMaximum, validateName } from "./validate.ts";
import { type FieldValue, type Frontmatter, isList } from "./value.ts";
import { parseYaml, type YamlProblem } from "./yaml.ts";

/** What became of one candidate: a skill, or the reason why not. */
export interface Parsed {
  readonly root: Root;
  readonly path: string;
  readonly dir: string;
  /** The claimed name, or the folder's where none can be read. */
  readonly name: string;
  readonly skill?: Skill;
  readonly reason?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Frontmatter of a `SKILL.md` → a skill. Lenient: a cosmetic fault is a warning; only what cannot be known is an error. */
export function parseSkill(candidate: Candidate, head: Head, policy: Policy): Parsed {
  const report = new Report(candidate, head);
  if (head.status !== "closed") return report.reject(...unusable(head, candidate, policy));
  if (head.broken) reportBadBytes(head, report);
  const yaml = parseYaml(head.text);
  if (yaml.values === undefined && yaml.problems.length === 0) {
    return report.reject("frontmatter-not-a-mapping", "the frontmatter is not a list of keys and values", head.line);
  }
  report.addYaml(yaml.problems, head.line);
  return readSkill(yaml.values ?? {}, candidate, policy, report);
}

function readSkill(values: Frontmatter, candidate: Candidate, policy: Policy, report: Report): Parsed {
  const name = readName(values, candidate, report);
  const description = readDescription(values.description, report);
  const { fields, unknown } = readFields(values);
  const strict = policy.names === "reject";
  const problems = report.hasError() ? [] : validateName(name, candidate.folder);
  for (const problem of problems) report.addAt("name", problem.code, strict ? "error" : "warning", problem.message);
  report.name = name || candidate.folder;
  reportUnknown(unknown, policy, report);
  if (description.length > descriptionMaximum && [...description].length > descriptionMaximum) {
    const message = `description has ${[...description].length} characters; at most ${descriptionMaximum} are allowed`;
    report.addAt("description", "description-too-long", strict ? "error" : "warning", message);
  }
  const failure = report.firstError();
  if (failure !== undefined) return report.fail(failure.message);
  const skill: Skill = {
    name,
    description,
    scope: candidate.root.scope,
    path: candidate.path,
    dir: candidate.dir,
    realPath: candidate.realPath,
    root: candidate.root,
    size: candidate.size,
    mtimeMs: candidate.mtimeMs,
    frontmatter: values,
    fields: candidate.openai === undefined ? fields : withOpenai(fields, candidate.openai, report),
  };
  return report.accept(skill);
}

function readName(values: Frontmatter, candidate: Candidate, report: Report): string {
  if (report.lost.includes("name")) return "";
  const value = values.name;
  const text = typeof value === "string" ? value.trim() : soleText(value);
  if (text === undefined) {
    report.addAt("name", "name-invalid", "error", "the name is not certain; write it as one line of text");
    return "";
  }
  if (text === "") {
    const message = `no name; the folder's, ${JSON.stringify(candidate.folder)}, is used`;
    report.addAt("name", "name-missing", "warning", message);
    return candidate.folder.trim();
  }
  if (typeof value !== "string") {
    report.addAt("name", "field-type", "warning", `name is a list; read as: name: ${quoted(text)}`);
  }
  if (/\p{Cc}/u.test(text)) {
    const message = `name ${JSON.stringify(text)} has control characters or line breaks`;
    report.addAt("name", "name-invalid", "error", message);
  }
  return text;
}

/** A missing name is empty; a list of one is that one; anything else is not certain. */
function soleText(value: FieldValue | undefined): string | undefined {
  if (value === undefined) return "";
  const [only, ...more] = value !== undefined && isList(value) ? value : [];
  return typeof only === "string" && more.length === 0 ? only.trim() : undefined;
}

function readDescription(value: FieldValue | undefined, report: Report): string {
  if (report.lost.includes("description")) return "";
  const text = value === undefined ? "" : readText(value);
  if (text === "" || text === "~" || text === "null") {
    report.addAt(
      "description",
      "description-missing",
      "error",
      "no description; say what the skill does and when to use it",
    );
    return "";
  }
  if (typeof value !== "string") {
    const kind = Array.isArray(value) ? "list" : "mapping";
    report.addAt(
      "description",
      "field-type",
      "warning",
      `description is a ${kind}; read as: description: ${quoted(text)}`,
    );
  }
  return text;
}

function reportUnknown(unknown: readonly string[], policy: Policy, report: Report): void {
  if (unknown.length === 0 || policy.unknownKeys === "ignore") return;
  const keys = unknown.map((key) => JSON.stringify(key)).join(", ");
  const message = `unknown ${unknown.length === 1 ? "key" : "keys"} ${keys}; put extra values under "metadata"`;
  report.addAt(unknown[0] ?? "", "key-unknown", policy.unknownKeys === "reject" ? "error" : "warning", message);
}

function withOpenai(fields: SkillFields, bytes: Uint8Array, report: Report): SkillFields {
  const yaml = parseYaml(new TextDecoder().decode(bytes));
  if (yaml.values === undefined) {
    report.add("openai-yaml", "warning", "agents/openai.yaml is not a list of keys and values; it is left out");
    return fields;
  }
  for (const problem of yaml.problems) {
    report.add("openai-yaml", "warning", `agents/openai.yaml line ${problem.line}: ${problem.message}`);
  }
  const openai = readOpenaiFields(yaml.values);
  const quiet = openai.allowImplicitInvocation === false && fields.disableModelInvocation === undefined;
  return { ...fields, openai, ...(quiet ? { disableModelInvocation: true } : {}) };
}

type Rejection = [code: Diagnostic["code"], message: string, line: number];

function unusable(head: Head, candidate: Candidate, policy: Policy): Rejection {
  if (head.status === "none") return ["frontmatter-missing", missingMessage(head), 1];
  const line = Math.max(1, head.line - 1);
  const limit = resolveLimits(policy.limits).frontmatterBytes;
  if (candidate.size > limit) {
    return [
      "frontmatter-too-large",
      `no closing "---" in the first ${limit} bytes; frontmatter may not be longer`,
      line,
    ];
  }
  return ["frontmatter-unclosed", `the frontmatter that begins on line ${line} has no closing "---" line`, line];
}

function missingMessage(head: Head): string {
  if (head.instead === "empty") return 'the file is empty; it should begin with "---", name and description';
  if (head.instead === "utf-16") return "the file is UTF-16; save it as UTF-8";
  return 'the file does not begin with a "---" line, so it has no name and description';
}

function reportBadBytes(head: Head, report: Report): void {
  let key = "";
  head.text.split(/\r\n?|\n/).forEach((line, index) => {
    key = /^["']?([\w.-]+)["']?\s*:/.exec(line)?.[1] ?? key;
    const column = line.indexOf("\uFFFD");
    if (column < 0) return;
    report.lost.push(key);
    const message = `bytes that are not UTF-8 in ${JSON.stringify(key)}; save the file as UTF-8`;
    report.add("encoding", lossSeverity(key), message, head.line + index, column + 1);
  });
}

/** A skill without a certain name or description cannot load; any other key it can do without. */
function lossSeverity(key: string): "error" | "warning" {
  return key === "name" || key === "description" ? "error" : "warning";
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 199)}…` : text);
}

/** Gathers the diagnostics of one candidate. */
class Report {
  readonly candidate: Candidate;
  readonly diagnostics: Diagnostic[] = [];
  /** Top-level keys whose value is not certain. */
  readonly lost: string[] = [];
  name: string;
  private readonly head: Head;

  constructor(candidate: Candidate, head: Head) {
    this.candidate = candidate;
    this.head = head;
    this.name = candidate.folder;
  }

  add(
    code: Diagnostic["code"],
    severity: Diagnostic["severity"],
    message: string,
    line?: number,
    column?: number,
  ): void {
    const place = line === undefined ? {} : { line, column: column ?? 1 };
    this.diagnostics.push({ code, severity, path: this.candidate.path, ...place, message });
  }

  /** At the line of a key; a key that is not there is told at the first line. */
  addAt(key: string, code: Diagnostic["code"], severity: Diagnostic["severity"], message: string): void {
    const { text, line } = this.head;
    const at = text.startsWith(key) ? 0 : text.indexOf(`\n${key}`) + 1;
    let found = at === 0 && !text.startsWith(key) ? line - 1 : line;
    for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) found++;
    this.add(code, severity, message, Math.max(1, found));
  }

  addYaml(problems: readonly YamlProblem[], firstLine: number): void {
    for (const problem of problems) {
      if (problem.lost !== undefined) this.lost.push(problem.lost);
      const harmless = problem.code === "yaml-repaired" || problem.code === "key-duplicate";
      const severity = problem.lost !== undefined ? lossSeverity(problem.lost) : harmless ? "warning" : "error";
      this.add(problem.code, severity, problem.message, firstLine + problem.line - 1, problem.column);
    }
  }

  hasError(): boolean {
    return this.firstError() !== undefined;
  }

  firstError(): Diagnostic | undefined {
    return this.diagnostics.find((each) => each.severity === "error");
  }

  reject(code: Diagnostic["code"], message: string, line: number): Parsed {
    this.add(code, "error", message, line);
    return this.fail(message);
  }

  fail(reason: string): Parsed {
    return { ...this.place(), name: this.name, reason, diagnostics: this.diagnostics };
  }

  accept(skill: Skill): Parsed {
    return { ...this.place(), name: skill.name, skill, diagnostics: this.diagnostics };
  }

  private place(): Pick<Parsed, "root" | "path" | "dir"> {
    const { root, path, dir } = this.candidate;
    return { root, path, dir };
  }
}
