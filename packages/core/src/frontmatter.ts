/** A file's frontmatter as text, or why there is none. */
export interface Head {
  /** `none`: the file does not begin with `---`. `open`: the closing `---` was not found. */
  readonly status: "closed" | "open" | "none";
  readonly text: string;
  /** 1-based line on which the text begins. */
  readonly line: number;
  /** Some bytes are no UTF-8; each stands in the text as U+FFFD. */
  readonly broken: boolean;
  /** The closing line has more than three dashes, which other clients do not accept. */
  readonly longFence?: boolean;
  /** What kind of file it is instead, where that can be told. */
  readonly instead?: "empty" | "utf-16" | "other-fence";
  /** The line on which a `---` stands that should have been the first: keys and another one follow. */
  readonly laterLine?: number;
}

const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Bytes from `start` to `end` as text; what is no UTF-8 becomes U+FFFD. */
export type Decode = (start: number, end: number) => string;

/** First bytes of a file → its frontmatter. Decodes nothing but the YAML itself, with the host's fastest decoder. */
export function readFrontmatter(bytes: Uint8Array, length: number, complete: boolean, decode?: Decode): Head {
  const { status, start, end, line } = locateFrontmatter(bytes, length, complete);
  if (status === "none") return { status, text: "", line, broken: false, ...insteadOf(bytes, length) };
  if (status === "open") return { status, text: "", line, broken: false };
  const text = decode?.(start, end) ?? lenientUtf8.decode(bytes.subarray(start, end));
  const broken = text.includes("\uFFFD") && !isUtf8(bytes.subarray(start, end));
  const longFence = end + 3 < length && bytes[end + 3] === DASH;
  return longFence ? { status, text, line, broken, longFence } : { status, text, line, broken };
}

function insteadOf(bytes: Uint8Array, length: number): Pick<Head, "instead" | "laterLine"> {
  if (length === 0) return { instead: "empty" };
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark === 0xfffe || mark === 0xfeff) return { instead: "utf-16" };
  const lines = lenientUtf8.decode(bytes.subarray(0, Math.min(length, 16_384))).split(/\r\n?|\n/);
  if (lines[0]?.startsWith("---")) return { instead: "other-fence" };
  const later = lines.findIndex((_, index) => opensKeys(lines, index));
  return later > 0 ? { laterLine: later + 1 } : {};
}

const fenceLine = /^---\s*$/;
const keyLine = /^["']?[A-Za-z_][\w.-]*["']?\s*:(?:\s|$)/;

/** Whether a `---` has keys below it and a `---` below those; else it is a rule between two parts of a text. */
function opensKeys(lines: readonly string[], index: number): boolean {
  if (!fenceLine.test(lines[index] ?? "") || !keyLine.test(lines[index + 1] ?? "")) return false;
  for (let at = index + 2; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (fenceLine.test(line)) return true;
    if (!keyLine.test(line) && !/^(?:[\s#-]|$)/.test(line)) return false;
  }
  return false;
}

/** Whether bytes are UTF-8 from the first to the last. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Where the frontmatter lies in a file's first bytes. */
export interface FrontmatterSpan {
  readonly status: Head["status"];
  /** Bytes of the YAML, without the fences. */
  readonly start: number;
  readonly end: number;
  /** First byte of the body. */
  readonly body: number;
  /** 1-based line on which the YAML begins. */
  readonly line: number;
}

const LF = 10;
const CR = 13;
const DASH = 45;

/**
 * Finds the YAML between the two `---` lines. Pure bytes, so that nothing is decoded but the YAML itself.
 * `complete` says that the first `length` bytes are the whole file: then a fence may end at the last of them.
 */
export function locateFrontmatter(bytes: Uint8Array, length: number, complete: boolean): FrontmatterSpan {
  const opening = skipBlankLines(bytes, length, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (opening.at >= length && !complete) return span("open", opening.at, opening.line);
  const start = afterFence(bytes, length, opening.at, complete);
  if (start < 0) return span(opening.at + 3 > length && !complete ? "open" : "none", 0, opening.line);
  for (let at = start; at < length; at = nextLine(bytes, length, at)) {
    if (bytes[at] !== DASH) continue;
    const body = afterFence(bytes, length, at, complete, "long too");
    if (body >= 0) return { status: "closed", start, end: at, body, line: opening.line + 1 };
  }
  return { status: "open", start, end: length, body: length, line: opening.line + 1 };
}

function span(status: "open" | "none", at: number, line: number): FrontmatterSpan {
  return { status, start: at, end: at, body: at, line };
}

function skipBlankLines(bytes: Uint8Array, length: number, from: number): { at: number; line: number } {
  let lineStart = from;
  let line = 1;
  for (let at = from; at < length; at++) {
    const byte = bytes[at];
    if (byte === 32 || byte === 9) continue;
    if (byte !== LF && byte !== CR) return { at: lineStart, line };
    if (byte === CR && bytes[at + 1] === LF) at++;
    lineStart = at + 1;
    line++;
  }
  return { at: lineStart, line };
}

/** The byte after a line that is `---` and nothing but trailing blanks, or -1. */
function afterFence(bytes: Uint8Array, length: number, at: number, complete: boolean, kind?: "long too"): number {
  if (at + 3 > length || bytes[at] !== DASH || bytes[at + 1] !== DASH || bytes[at + 2] !== DASH) return -1;
  let end = at + 3;
  while (kind === "long too" && end < length && bytes[end] === DASH) end++;
  while (end < length && (bytes[end] === 32 || bytes[end] === 9)) end++;
  if (end >= length) return complete ? end : -1;
  if (bytes[end] === LF) return end + 1;
  if (bytes[end] !== CR) return -1;
  return bytes[end + 1] === LF ? end + 2 : end + 1;
}

function nextLine(bytes: Uint8Array, length: number, from: number): number {
  for (let at = from; at < length; at++) {
    if (bytes[at] === LF) return at + 1;
    if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : at + 1;
  }
  return length;
}
