import { readFlow } from "./flow-yaml.ts";
import type { FieldValue, Frontmatter } from "./value.ts";

/**
 * Reads the YAML that nearly all frontmatter is made of: plain, quoted, folded and block scalars, nested maps,
 * lists of scalars. Ten times as fast as a YAML library. Whatever is not certain makes it give up (`undefined`)
 * and leaves the text to the library; what it accepts, the library reads the same (a property test holds it to that).
 */
export function parsePlainYaml(text: string): Frontmatter | undefined {
  if (unsafe.test(text) || !text.isWellFormed()) return undefined;
  const cursor = { lines: text.split("\n"), at: 0 };
  const map = readMap(cursor, 0);
  if (map === undefined || skipToContent(cursor) !== undefined) return undefined;
  return map;
}

interface Cursor {
  readonly lines: readonly string[];
  at: number;
}

// Tabs, controls, NEL, LS, PS, byte order marks and non-characters: rare, and each has rules of its own.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unsafe = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
// Deeper nesting is left to the library, which knows its own limit.
const deepestIndent = 60;
const indicators = new Set("-?:,[]{}#&*!|>'\"%@`");

function readMap(cursor: Cursor, indent: number): Frontmatter | undefined {
  const map: Record<string, FieldValue> = {};
  for (let line = skipToContent(cursor); line !== undefined; line = skipToContent(cursor)) {
    const depth = indentOf(line);
    if (depth < indent) break;
    const end = depth === indent ? endOfKey(line, indent) : 0;
    const key = line.slice(indent, end);
    if (end === 0 || key === "__proto__" || Object.hasOwn(map, key)) return undefined;
    cursor.at++;
    const value = readValue(cursor, indent, trimSpaces(line, end + 1));
    if (value === undefined) return undefined;
    map[key] = value;
  }
  return map;
}

/** Where a key of letters, digits, `-` and `_` ends, if a colon and a space follow; else 0. */
function endOfKey(line: string, start: number): number {
  let at = start;
  while (isKeyChar(line.charCodeAt(at), at === start)) at++;
  if (at === start || at - start > 64 || line.charCodeAt(at) !== 58) return 0;
  return at + 1 === line.length || line.charCodeAt(at + 1) === 32 ? at : 0;
}

function isKeyChar(code: number, first: boolean): boolean {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) return true;
  return !first && ((code >= 48 && code <= 57) || code === 45);
}

function readValue(cursor: Cursor, indent: number, text: string): FieldValue | undefined {
  if (text === "") return readNested(cursor, indent);
  if (text === "|" || text === "|-" || text === ">" || text === ">-") return readBlock(cursor, indent, text);
  if (text[0] === "[" || text[0] === "{") return readFlow(text);
  if (text[0] === '"' || text[0] === "'") return readQuoted(text) ?? readFoldedQuote(cursor, indent, text);
  return readPlain(cursor, indent, text);
}

function readNested(cursor: Cursor, indent: number): FieldValue | undefined {
  const line = skipToContent(cursor);
  if (line === undefined) return "";
  const depth = indentOf(line);
  const isItem = line.startsWith("- ", depth);
  if (depth < indent || (depth === indent && !isItem)) return "";
  if (depth > deepestIndent) return undefined;
  return isItem ? readList(cursor, depth, indent) : readMap(cursor, depth);
}

function readList(cursor: Cursor, depth: number, parent: number): readonly FieldValue[] | undefined {
  const items: FieldValue[] = [];
  for (let line = skipToContent(cursor); line !== undefined; line = skipToContent(cursor)) {
    const found = indentOf(line);
    if (found < depth || (found === parent && !line.startsWith("- ", found))) break;
    if (found !== depth || !line.startsWith("- ", found)) return undefined;
    cursor.at++;
    const item = readItem(trimSpaces(line, depth + 2));
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readItem(text: string): string | undefined {
  if (text === "") return undefined;
  return text[0] === '"' || text[0] === "'" ? readQuoted(text) : isPlain(text) ? text : undefined;
}

function readQuoted(text: string): string | undefined {
  const quote = text[0] ?? "";
  const inner = text.slice(1, -1);
  if (text.length < 2 || text[text.length - 1] !== quote) return undefined;
  if (quote === "'") return inner.replaceAll("''", "").includes("'") ? undefined : inner.replaceAll("''", "'");
  return inner.includes('"') || inner.includes("\\") ? undefined : inner;
}

/** A quoted text over several lines: the breaks become spaces. */
function readFoldedQuote(cursor: Cursor, indent: number, first: string): string | undefined {
  const quote = first[0] ?? "";
  let text = first.slice(1);
  if (text === "" || text.includes(quote) || text.includes("\\")) return undefined;
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    const depth = indentOf(line);
    const end = line.indexOf(quote);
    if (depth === line.length || depth <= indent || line.includes("\\")) return undefined;
    cursor.at++;
    if (end < 0) text += ` ${trimSpaces(line, depth)}`;
    else if (trimSpaces(line, end) !== quote || end === depth) return undefined;
    else return `${text} ${line.slice(depth, end)}`;
  }
  return undefined;
}

function readPlain(cursor: Cursor, indent: number, first: string): string | undefined {
  if (!isPlain(first)) return undefined;
  let text = first;
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    const depth = indentOf(line);
    if (depth === line.length || depth <= indent) break;
    const more = trimSpaces(line, depth);
    if (!isPlain(more)) return undefined;
    text += ` ${more}`;
    cursor.at++;
  }
  return text;
}

function isPlain(text: string): boolean {
  return (
    !indicators.has(text[0] ?? "") && !text.includes(": ") && !text.includes(" #") && text[text.length - 1] !== ":"
  );
}

/** `|` keeps line breaks, `>` folds them into spaces; `-` drops the last one. */
function readBlock(cursor: Cursor, indent: number, header: string): string | undefined {
  const depth = indentOf(cursor.lines[cursor.at] ?? "");
  const content = depth > indent ? takeBlockLines(cursor, depth) : [];
  const next = cursor.lines[cursor.at];
  const ended = next === undefined || indentOf(next) <= indent;
  const folds = header[0] === ">";
  if (content.length === 0 || !ended || (folds && content.some((line) => line[0] === " "))) return undefined;
  while (content[content.length - 1] === "") content.pop();
  const text = folds ? fold(content) : content.join("\n");
  return header.length === 1 ? `${text}\n` : text;
}

/** The lines of a block without their indentation; none when it begins with a blank line or holds odd blanks. */
function takeBlockLines(cursor: Cursor, depth: number): string[] {
  const content: string[] = [];
  for (let line = cursor.lines[cursor.at]; line !== undefined; line = cursor.lines[cursor.at]) {
    const found = indentOf(line);
    const blank = found === line.length;
    if (blank && (content.length === 0 || found > depth)) return [];
    if (!blank && found < depth) break;
    content.push(blank ? "" : line.slice(depth));
    cursor.at++;
  }
  return content;
}

function fold(lines: readonly string[]): string {
  let text = "";
  let breaks = 0;
  for (const line of lines) {
    if (line === "") {
      breaks++;
      continue;
    }
    text += breaks > 0 ? "\n".repeat(breaks) + line : text === "" ? line : ` ${line}`;
    breaks = 0;
  }
  return text;
}

/** Moves to the next line that is neither blank nor a comment, and returns it without moving past. */
function skipToContent(cursor: Cursor): string | undefined {
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? "";
    const depth = indentOf(line);
    if (depth < line.length && line[depth] !== "#") return line;
  }
  return undefined;
}

function indentOf(line: string): number {
  let depth = 0;
  while (line.charCodeAt(depth) === 32) depth++;
  return depth;
}

// Only U+0020: `trim` would take no-break spaces, which belong to the text.
function trimSpaces(text: string, from: number): string {
  let start = from;
  let end = text.length;
  while (text.charCodeAt(start) === 32) start++;
  while (end > start && text.charCodeAt(end - 1) === 32) end--;
  return text.slice(start, end);
}
