import { once } from "node:events";
import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "yellow" | "green" | "cyan";

/** How text is written for people: colours only on a terminal, and nothing that could control it. */
export interface Terminal {
  readonly columns: number | undefined;
  style(style: Style, text: string): string;
  print(text: string): void;
  printJson(value: object): Promise<void>;
  /** Everything that is not data. */
  note(text: string): void;
}

export function createTerminal(options: { readonly color: boolean }): Terminal {
  const { stdout, stderr, env } = process;
  const colored = options.color && stdout.isTTY && !env.NO_COLOR && env.TERM !== "dumb";
  return {
    columns: stdout.isTTY ? stdout.columns : undefined,
    style: (style, text) => (colored ? styleText(style, text, { validateStream: false }) : text),
    print: (text) => void stdout.write(`${text}\n`),
    printJson: async (value) => {
      for (const piece of jsonPieces(value)) {
        // A reader that is slower than we are must not make us hold it all.
        if (!stdout.write(piece) && !(await drained(stdout))) return;
      }
    },
    note: (text) => void stderr.write(`${text}\n`),
  };
}

/** Whether the output can go on; false once its reader is gone. */
async function drained(stream: NodeJS.WriteStream): Promise<boolean> {
  try {
    await once(stream, "drain");
    return true;
  } catch {
    return false;
  }
}

/** An object as indented JSON, list item by list item: ten thousand skills are never one text in memory. */
function* jsonPieces(value: object): Generator<string> {
  let before = "{\n";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${before}  ${JSON.stringify(key)}: `;
    if (isIterable(item)) yield* listPieces(item);
    else yield indented(item, "  ");
    before = ",\n";
  }
  yield before === "{\n" ? "{}\n" : "\n}\n";
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

function* listPieces(items: Iterable<unknown>): Generator<string> {
  let piece = "[";
  let empty = true;
  for (const item of items) {
    piece += `${empty ? "" : ","}\n    ${indented(item, "    ")}`;
    empty = false;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}${empty ? "]" : "\n  ]"}`;
}

// Valid JSON either way; escaped, it cannot control a terminal that shows it.
function indented(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
  return text.replace(dangerous, (char) => (char === "\n" ? char : [...char].map(jsonEscape).join("")));
}

function jsonEscape(char: string): string {
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

// Control characters, line separators, and what nobody can see or what turns the direction of text around; the joiner and
// the selector that emoji are made with may stay.
const dangerous = /(?![\u200d\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** A text of many lines: harmless on a terminal, and as it is in a file or a pipe. */
export function forOutput({ columns }: Terminal, text: string): string {
  return columns === undefined ? text : text.split("\n").map(harmless).join("\n");
}

/** Somebody's text with nothing left in it that moves the cursor or hides other text. */
export function harmless(text: string): string {
  return text.replace(dangerous, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return char.length > 1 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** The same on one line. */
export function plain(text: string): string {
  return harmless(text.replace(/\s+/g, " ").trim());
}

/** Cuts to a width with an ellipsis; no width, no cut. */
export function clip(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  let used = 0;
  let fits = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    // One place is kept for the ellipsis.
    if (used < width) fits = index;
    used += wide.test(segment) ? 2 : 1;
    if (used > width) return `${text.slice(0, fits).trimEnd()}…`;
  }
  return text;
}

const graphemes = new Intl.Segmenter();
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** `1 skill`, `2 skills`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A path as people write it. */
export function tildify(path: string, home: string): string {
  return harmless(path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

/** Says on a terminal that something takes a while, and takes it back when it is done. */
export async function withProgress<T>(text: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const timer = setTimeout(() => process.stderr.write(`\r${text}`), 300);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    process.stderr.write("\r\u001b[K");
  }
}
