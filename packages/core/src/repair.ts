import { isKnownKey } from "./fields.ts";

/** A top-level key of a frontmatter with the lines that belong to it. */
export interface YamlEntry {
  readonly key: string;
  /** 1-based line of the key. */
  readonly line: number;
  readonly text: string;
}

/** A way to write an entry so that it is YAML. What is absent is the parser's own complaint or place. */
export interface Repair {
  readonly text: string;
  readonly why?: string;
  /** 1-based, within the entry. */
  readonly line?: number;
  readonly column?: number;
}

export interface Split {
  readonly entries: readonly YamlEntry[];
  /** Lines at which text begins that belongs to no key. */
  readonly detached: readonly number[];
}

const quotedKey = /^(["'])([^"']{1,100})\1\s*:/;
// `name:value` without a space counts too, but not the start of an address.
const bareKey = /^([A-Za-z_][\w.-]{0,99})\s*:(?!\/\/)/;

/**
 * Cuts YAML text at each key in the first column. A line of prose in the first column goes on with the value above it,
 * unless a blank line stands between: then it belongs to nothing. Prose has colons too, so that after it a key must be
 * in lower case, and after prose that belongs to nothing a known one.
 */
export function splitEntries(text: string): Split {
  const entries: { key: string; line: number; lines: string[] }[] = [];
  const detached: number[] = [];
  let prose: Prose = "none";
  let blank = false;
  text.split("\n").forEach((line, index) => {
    const key = quotedKey.exec(line)?.[2] ?? bareKey.exec(line)?.[1];
    if (key !== undefined && isKeyAfter(prose, key)) {
      entries.push({ key, line: index + 1, lines: [line] });
      prose = "none";
    } else if (/^[^\s#-]/.test(line) && (blank || prose === "detached" || entries.length === 0)) {
      if (prose !== "detached") detached.push(index + 1);
      prose = "detached";
    } else if (prose !== "detached") {
      entries.at(-1)?.lines.push(line);
      if (/^[^\s#-]/.test(line)) prose = "attached";
    }
    blank = line.trim() === "";
  });
  return { entries: entries.map(({ key, line, lines }) => ({ key, line, text: `${lines.join("\n")}\n` })), detached };
}

type Prose = "none" | "attached" | "detached";

function isKeyAfter(prose: Prose, key: string): boolean {
  return prose === "none" || (prose === "attached" ? /^[a-z]/.test(key) : isKnownKey(key));
}

/** Whether a text is certainly no YAML, so that the library need not be asked: the fault that most broken files have. */
export function hasUnquotedColon(text: string): boolean {
  const lines = text.split("\n");
  const closed = lines.every((line) => !/: +["']/.test(line) || /["'] *$/.test(line));
  return closed && lines.some((line) => findUnquotedColon(line) !== undefined);
}

/** The same for an entry of one line, with the only repair that there is. */
export function repairUnquotedColon(entry: YamlEntry): Required<Repair> | undefined {
  const line = entry.text.trimEnd();
  const found = line.includes("\n") ? undefined : findUnquotedColon(line);
  if (found === undefined) return undefined;
  return { text: `${entry.key}: ${quote(found.value)}\n`, why: "unquoted colon", line: 1, column: found.column };
}

// `key: some text: more`, which no reading of YAML allows; quotes and comments are left to the library.
function findUnquotedColon(line: string): { value: string; column: number } | undefined {
  const start = /^[A-Za-z_][\w-]*: +(?=[A-Za-z])/.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  const at = line.indexOf(": ", start);
  if (at < 0 || /["'#]/.test(line)) return undefined;
  return { value: line.slice(start).trim(), column: at + 1 };
}

// As a word's end, `name:` is another word: filename.
const gluedKey =
  /(?<=[^\s([{<"'`\u2018\u201c\u300c\uff08/_-])(license|compatibility|metadata|allowed-tools|description|(?<![a-z])name): |(?<=[.!?\u3002\uff01\uff1f])([a-z][a-z-]*): /;

/** A key that stands in the middle of a value, as if a line break before it had been lost. */
export function findGluedKey(value: string): string | undefined {
  const match = gluedKey.exec(value);
  return match?.[1] ?? match?.[2];
}

/** What the author most likely meant, the mildest change first; the caller takes the first that parses. */
export function* repairEntry(entry: YamlEntry): Generator<Repair> {
  const lines = entry.text.split("\n").map(stripControls);
  const spaced = lines.map((line) => line.replace(/^[ \t]+/, (blank) => blank.replaceAll("\t", "  ")));
  if (lines.some((line) => /^ *\t/.test(line))) {
    yield { text: spaced.join("\n"), why: "tab in the indentation" };
  }
  const [first = "", ...rest] = spaced;
  const colon = first.indexOf(":");
  const value = first.slice(colon + 1).trim();
  if (value === "" && rest.some((line) => /^\s*- |^\s+[\w"'.-]+\s*:/.test(line))) {
    yield { text: [first, ...rest.map(quoteNested)].join("\n"), why: "value that needs quotes" };
    return;
  }
  const start = value.replace(/^[|>][+-]?\d?(\s+#.*|(?=\s|$))/, "");
  const prose = [start, ...rest.filter((line) => !/^\s*#/.test(line))];
  const text = prose.join(" ").replace(/\s+/g, " ").trim();
  yield { text: `${first.slice(0, colon).trim()}: ${quote(unquote(text))}\n`, ...explain(spaced, value, text) };
}

function explain(lines: readonly string[], value: string, text: string): Omit<Repair, "text"> {
  const [first = ""] = lines;
  const atValue = { line: 1, column: first.length - first.slice(first.indexOf(":") + 1).trimStart().length + 1 };
  if (!/:\s/.test(first) && value !== "") return { why: "no space after the colon", ...atValue };
  if (/^[|>]/.test(value)) return { why: "block text must stand below its key, indented" };
  const stray = lines.findIndex((line, index) => index > 0 && /^[^\s#]/.test(line));
  if (stray > 0) return { why: "a line in the first column belongs to no key", line: stray + 1, column: 1 };
  if (/^"/.test(text) && /\\[^"\\/abefnrtuvxLNP_0 ]/.test(text)) return { why: "unknown escape after a backslash" };
  if (/^["']/.test(text)) return { why: "stray quote" };
  if (/^[[{]/.test(text) && !/[\]}]/.test(text)) return { why: "bracket that is not closed", ...atValue };
  if (/^&[\w-]+\s/.test(text)) return { why: "anchors and aliases are not followed here", ...atValue };
  if (/^([*&!%@`[{\]},]|[-?]( |$))/.test(text))
    return { why: `a value that begins with ${text[0]} needs quotes`, ...atValue };
  if (/:(\s|$)/.test(text)) return { why: "unquoted colon" };
  return {};
}

// A nested `key: value` or `- value` whose value is no YAML by itself gets quotes; anything else stays.
function quoteNested(line: string): string {
  // The `s` flag: where `.` could fail on a line separator, the blanks before it would be tried again and again.
  const match = /^(\s*(?:- )?(?:[\w"'.-]+\s*:\s+|(?<=- )))(.+)$/s.exec(line);
  const lead = match?.[1];
  const value = match?.[2]?.trim();
  if (lead === undefined || value === undefined) return line;
  const fine = !/: |:$| #/.test(value) && !/^[*&!%@`|>]/.test(value) && isBalanced(value);
  return fine ? line : `${lead}${quote(unquote(value))}`;
}

function isBalanced(value: string): boolean {
  const quoteMark = /^["']/.exec(value)?.[0];
  if (quoteMark === undefined) return !/^[[{]/.test(value) || /[\]}]$/.test(value);
  return value.length > 1 && value.endsWith(quoteMark) && !value.slice(1, -1).includes(quoteMark);
}

/** Takes away one pair of quotes around the whole, or a leading one that nothing closes. */
function unquote(text: string): string {
  const mark = /^["']/.exec(text)?.[0];
  if (mark === undefined) return text;
  // A shell's way to write an apostrophe.
  const plain = mark === "'" ? text.replaceAll("'\\''", "\\'") : text;
  const inner = plain.endsWith(mark) && plain.length > 1 ? plain.slice(1, -1) : plain.slice(1);
  return endsQuotation(inner, mark) ? text : inner.replace(/\\(["'])/g, "$1");
}

/** Whether the first mark inside closes what the leading one opened (`"a" and "b"`); apostrophes do not count. */
function endsQuotation(inner: string, mark: string): boolean {
  for (let at = inner.indexOf(mark); at >= 0; at = inner.indexOf(mark, at + 1)) {
    const before = inner[at - 1] ?? " ";
    const apostrophe = before === "\\" || (/\w/.test(before) && /\w/.test(inner[at + 1] ?? " "));
    if (!apostrophe) return /\S/.test(before);
  }
  return false;
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\t", " ")}"`;
}

function stripControls(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  return line.replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g, "");
}
