/** A top-level key of a frontmatter with the lines that belong to it. */
export interface YamlEntry {
  readonly key: string;
  /** 1-based line of the key. */
  readonly line: number;
  readonly text: string;
}

/** A way to write an entry so that it is YAML. `why` replaces the parser's own complaint. */
export interface Repair {
  readonly text: string;
  readonly why?: string;
}

const quotedKey = /^(["'])([^"']{1,100})\1\s*:/;
// `name:value` without a space counts too, but not the start of an address.
const bareKey = /^([A-Za-z_][\w.-]{0,99})\s*:(?!\/\/)/;

/** Cuts YAML text at each key in the first column; lines that start no key belong to the entry above. */
export function splitEntries(text: string): YamlEntry[] {
  const entries: { key: string; line: number; lines: string[] }[] = [];
  text.split("\n").forEach((line, index) => {
    const key = quotedKey.exec(line)?.[2] ?? bareKey.exec(line)?.[1];
    if (key !== undefined) entries.push({ key, line: index + 1, lines: [line] });
    else entries.at(-1)?.lines.push(line);
  });
  return entries.map(({ key, line, lines }) => ({ key, line, text: `${lines.join("\n")}\n` }));
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
  const prose = [value.replace(/^[|>][+-]?\d?(?=\s|$)/, ""), ...rest.filter((line) => !/^\s*#/.test(line))];
  const text = prose
    .map((line) => line.trim())
    .join(" ")
    .replace(/ {2,}/g, " ")
    .trim();
  yield { text: `${first.slice(0, colon).trim()}: ${quote(unquote(text))}\n`, ...reason(spaced, value, text) };
}

function reason(lines: readonly string[], value: string, text: string): { why?: string } {
  if (!/:\s/.test(lines[0] ?? "") && value !== "") return { why: "no space after the colon" };
  if (/^[|>]/.test(value)) return { why: "block text must stand below its key, indented" };
  if (lines.slice(1).some((line) => /^[^\s#]/.test(line)))
    return { why: "a line in the first column belongs to no key" };
  if (/^["']/.test(text)) return { why: "stray quote" };
  if (/:(\s|$)/.test(text)) return { why: "unquoted colon" };
  if (/^[*&]/.test(text)) return { why: "a value that begins with * or & needs quotes" };
  if (/^[[{]/.test(text)) return { why: "a value that begins with a bracket needs quotes" };
  return {};
}

// A nested `key: value` or `- value` whose value is no YAML by itself gets quotes; anything else stays.
function quoteNested(line: string): string {
  const match = /^(\s*(?:- )?(?:[\w"'.-]+\s*:\s+|(?<=- )))(.+)$/.exec(line);
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
  const inner = text.endsWith(mark) && text.length > 1 ? text.slice(1, -1) : text.slice(1);
  return endsQuotation(inner, mark) ? text : inner;
}

/** Whether the first mark inside closes what the leading one opened (`"a" and "b"`); apostrophes do not count. */
function endsQuotation(inner: string, mark: string): boolean {
  for (let at = inner.indexOf(mark); at >= 0; at = inner.indexOf(mark, at + 1)) {
    const before = inner[at - 1] ?? " ";
    const apostrophe = /\w/.test(before) && /\w/.test(inner[at + 1] ?? " ");
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
