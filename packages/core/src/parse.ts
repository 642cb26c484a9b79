import { checkTriggers } from "./check-triggers.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { canonicalKey, type OpenaiFields, readFields, readOpenaiFields, readText, unknownKeys } from "./fields.ts";
import type { Head } from "./frontmatter.ts";
import { resolveLimits } from "./limits.ts";
import type { Policy } from "./policy.ts";
import { lossSeverity, type Parsed, Report } from "./report.ts";
import { Skill } from "./skill.ts";
import type { Candidate } from "./source.ts";
import { compatibilityMaximum, descriptionMaximum, isPlainName, validateName } from "./specification.ts";
import { type FieldValue, type Frontmatter, isList, isMap } from "./value.ts";
import { parseYaml, type YamlProblem } from "./yaml.ts";

/** Frontmatter of a `SKILL.md` → a skill. Lenient: a cosmetic fault is a warning; only what cannot be known is an error. */
export function parseSkill(candidate: Candidate, head: Head, policy: Policy): Parsed {
  const report = new Report(candidate, head);
  if (head.status !== "closed") return report.reject(...unusable(head, candidate, policy));
  if (head.broken) reportBadBytes(head, report);
  if (head.longFence) {
    const line = head.line + head.text.split("\n").length - 1;
    report.add("frontmatter-fence", "warning", 'the closing line should be "---", three dashes and no more', line);
  }
  const yaml = parseYaml(head.text);
  if (yaml.values === undefined && yaml.problems.length === 0) {
    return report.reject("frontmatter-not-a-mapping", notMapping(head.text), head.line);
  }
  report.addYaml(yaml.problems, head.line);
  if (policy.frontmatter === "lenient") {
    return readSkill(withLowerCase(yaml.values ?? {}, report), candidate, policy, report);
  }
  checkLetter(head, yaml.problems, policy, report);
  return readSkill(yaml.values ?? {}, candidate, policy, report);
}

/** What is mended elsewhere is an error here. */
function checkLetter(head: Head, problems: readonly YamlProblem[], policy: Policy, report: Report): void {
  if (head.line > 2) report.add("frontmatter-missing", "error", 'the first line of the file should be "---"', 1);
  for (const { code, message, line, column } of problems) {
    const isColon = policy.frontmatter === "plain" && message.includes("unquoted colon");
    if (code !== "yaml-repaired" || isColon) continue;
    report.add("yaml-invalid", "error", `the frontmatter is no YAML: ${message}`, head.line + line - 1, column);
  }
}

function notMapping(text: string): string {
  const hint = text.includes("\uFF1A") ? '; it has a full-width colon where ":" should be' : "";
  return `the frontmatter is not a list of keys and values${hint}`;
}

/** `Name` and `Description` count where the right spelling is missing. */
function withLowerCase(values: Frontmatter, report: Report): Frontmatter {
  if (values.name !== undefined && values.description !== undefined) return values;
  const renamed = Object.entries(values).map(([key, value]): [string, FieldValue] => {
    const right = key.toLowerCase();
    if (right === key || (right !== "name" && right !== "description") || values[right] !== undefined)
      return [key, value];
    report.addAt(key, "key-case", "warning", `"${key}" should be written "${right}"`);
    return [right, value];
  });
  return Object.fromEntries(renamed);
}

function readSkill(values: Frontmatter, candidate: Candidate, policy: Policy, report: Report): Parsed {
  const name = readName(values, candidate, policy, report);
  const description = readDescription(values.description, policy, report);
  if (!report.hasError()) checkName(name, candidate, policy, report);
  report.name = name || candidate.folder;
  reportUnknown(values, policy, report);
  if (description.length > descriptionMaximum && [...description].length > descriptionMaximum) {
    const message = `description has ${[...description].length} characters; at most ${descriptionMaximum} are allowed`;
    report.addAt(
      "description",
      "description-too-long",
      policy.descriptions === "reject" ? "error" : "warning",
      message,
    );
  }
  if (policy.fields === "strict") checkFields(values, report);
  reportPatterns(values, report);
  const failure = report.firstError();
  if (failure !== undefined) return report.fail(failure.message);
  // A system with keys of its own knows nothing of another's file either.
  const isKnown = candidate.openai !== undefined && policy.keys === undefined;
  const openai = isKnown ? readOpenai(candidate.openai, report) : undefined;
  return report.accept(new Skill(candidate, { name, description, frontmatter: onlyKnown(values, policy), openai }));
}

function checkName(name: string, { folder }: Candidate, policy: Policy, report: Report): void {
  for (const { code, message } of validateName(name, folder)) {
    const judged = code === "name-mismatch" ? policy.folderNames : policy.names;
    if (judged !== "ignore") report.addAt("name", code, judged === "warn" ? "warning" : "error", message);
  }
  if (policy.names !== "ascii" || isPlainName(name) || report.hasError()) return;
  report.addAt("name", "name-invalid", "error", `name ${JSON.stringify(name)} should have only a to z, 0 to 9 and -`);
}

/** The optional fields, to the letter of the specification. */
function checkFields(values: Frontmatter, report: Report): void {
  const { compatibility, metadata, license } = values;
  if (license !== undefined && !isText(license)) {
    report.addAt("license", "field-type", "error", "license should be a text");
  }
  if (compatibility !== undefined) {
    const length = typeof compatibility === "string" ? [...compatibility.trim()].length : 0;
    if (length < 1 || length > compatibilityMaximum) {
      const message = `compatibility has ${length} characters; it should be a text of 1 to ${compatibilityMaximum}`;
      report.addAt("compatibility", "compatibility-invalid", "error", message);
    }
  }
  const isTexts = metadata !== undefined && isMap(metadata) && Object.values(metadata).every(isText);
  if (metadata === undefined || isTexts) return;
  report.addAt("metadata", "metadata-invalid", "error", "metadata should be a mapping of texts to texts");
}

function isText(value: FieldValue): boolean {
  return typeof value === "string";
}

function readName(values: Frontmatter, candidate: Candidate, policy: Policy, report: Report): string {
  if (report.lost.includes("name")) return "";
  const value = values.name;
  const text = value === undefined || isNull(value) ? "" : typeof value === "string" ? value.trim() : soleText(value);
  if (text === undefined) {
    report.addAt("name", "name-invalid", "error", "the name is not certain; write it as one line of text");
    return "";
  }
  if (text === "" && policy.missingNames === "reject") {
    report.addAt("name", "name-missing", "error", "no name; give the skill one");
    return "";
  }
  if (text === "") {
    const message = `no name; the folder's, ${JSON.stringify(candidate.folder)}, is used`;
    report.addAt("name", "name-missing", "warning", message);
    return candidate.folder.trim();
  }
  if (typeof value !== "string") {
    const isStrict = policy.folderNames === "reject";
    const message = `name is a list; ${isStrict ? "write" : "read as"}: name: ${quoted(text)}`;
    report.addAt("name", "field-type", isStrict ? "error" : "warning", message);
  }
  if (/\p{Cc}/u.test(text)) {
    const message = `name ${JSON.stringify(text)} has control characters or line breaks`;
    report.addAt("name", "name-invalid", "error", message);
  }
  return text;
}

/** YAML's ways to say that there is no value. */
function isNull(value: FieldValue): boolean {
  return value === "~" || value === "null" || value === "Null" || value === "NULL";
}

/** A list of one is that one; anything else is not certain. */
function soleText(value: FieldValue): string | undefined {
  const [only, ...more] = isList(value) ? value : [];
  return typeof only === "string" && more.length === 0 ? only.trim() : undefined;
}

function readDescription(value: FieldValue | undefined, policy: Policy, report: Report): string {
  if (report.lost.includes("description")) return "";
  const text = value === undefined ? "" : readText(value);
  if (text === "" || isNull(text)) {
    report.addAt("description", "description-missing", "error", missingDescription(report.head.text));
    return "";
  }
  reportComment(text, report);
  if (typeof value !== "string") {
    const kind = Array.isArray(value) ? "list" : "mapping";
    const isStrict = policy.frontmatter !== "lenient" || policy.descriptions === "reject";
    const message = `description is a ${kind}; ${isStrict ? "write" : "read as"}: description: ${quoted(text)}`;
    report.addAt("description", "field-type", isStrict ? "error" : "warning", message);
  }
  return text;
}

function missingDescription(frontmatter: string): string {
  if (/^description:[ \t]+#/m.test(frontmatter)) return "no description: text after # is a comment; put it in quotes";
  return "no description; say what the skill does and when to use it";
}

/** ` #` in a plain value begins a comment, which hardly anybody means in a description. */
function reportComment(description: string, report: Report): void {
  const { text } = report.head;
  if (!text.includes(" #")) return;
  const line = text.split("\n").find((each) => each.startsWith("description:")) ?? "";
  const cut = line.indexOf(" #");
  if (cut < 0 || line.slice("description:".length, cut).trim() !== description) return;
  const message = 'the description ends at " #", which begins a comment; put it in quotes to keep the rest';
  report.addAt("description", "description-cut", "warning", message);
}

function reportUnknown(values: Frontmatter, policy: Policy, report: Report): void {
  const unknown = policy.unknownKeys === "ignore" ? [] : findUnknown(values, policy);
  if (unknown.length === 0) return;
  const keys = unknown.map((key) => JSON.stringify(key)).join(", ");
  const message = `unknown ${unknown.length === 1 ? "key" : "keys"} ${keys}; put extra values under "metadata"`;
  report.addAt(unknown[0] ?? "", "key-unknown", policy.unknownKeys === "reject" ? "error" : "warning", message);
}

/** Where a system has its own list of keys, the others mean nothing in it. */
function onlyKnown(values: Frontmatter, { keys }: Policy): Frontmatter {
  return keys === undefined ? values : Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
}

function findUnknown(values: Frontmatter, { keys, triggers }: Policy): readonly string[] {
  if (keys === undefined) return unknownKeys(values);
  // Who names the keys knows that of a feature only while it is on.
  return Object.keys(values).filter((key) => !keys.includes(key) || (key === "triggers" && triggers === "off"));
}

/** Hardly any skill has triggers: the others are not to pay for them. */
function reportPatterns(values: Frontmatter, report: Report): void {
  const key = Object.keys(values).find(
    (each) => each.length === "triggers".length && canonicalKey(each) === "triggers",
  );
  const { triggers } = key === undefined ? {} : readFields({ triggers: values[key] ?? "" });
  if (key === undefined || triggers === undefined) return;
  for (const { pattern, problem } of checkTriggers(triggers)) {
    report.addAt(key, "trigger-pattern", "warning", `the pattern ${quoted(pattern)} is not used: ${problem}`);
  }
}

function readOpenai(bytes: Uint8Array, report: Report): OpenaiFields | undefined {
  const yaml = parseYaml(new TextDecoder().decode(bytes));
  if (yaml.values === undefined) {
    report.add("openai-yaml", "warning", "agents/openai.yaml is not a list of keys and values; it is left out");
    return undefined;
  }
  for (const problem of yaml.problems) {
    report.add("openai-yaml", "warning", `agents/openai.yaml line ${problem.line}: ${problem.message}`);
  }
  return readOpenaiFields(yaml.values);
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
  if (head.instead === "other-fence") {
    return 'the first line should be "---" and nothing else; frontmatter is YAML, never another language';
  }
  if (head.laterLine !== undefined) {
    return `the first line should be "---"; here one stands on line ${head.laterLine}: remove what is above it`;
  }
  return 'the file does not begin with a "---" line, so it has no name and description';
}

function reportBadBytes(head: Head, report: Report): void {
  let key = "";
  head.text.split(/\r\n?|\n/).forEach((line, index) => {
    key = /^["']?([\w.-]+)["']?\s*:/.exec(line)?.[1] ?? key;
    const column = line.indexOf("\uFFFD");
    if (column < 0 || report.lost.includes(key)) return;
    report.lost.push(key);
    const message = `bytes that are not UTF-8 in ${JSON.stringify(key)}; save the file as UTF-8`;
    report.add("encoding", lossSeverity(key), message, head.line + index, column + 1);
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 199)}…` : text);
}
