import { maskCode } from "./prose.ts";

/** Text that a person who reads the file does not see, and a model does. */
export interface HiddenText {
  readonly kind: "control" | "direction" | "tag" | "zero-width" | "comment";
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  /** What it says, or its code points. */
  readonly text: string;
}

const kinds: readonly (readonly [HiddenText["kind"], RegExp])[] = [
  ["control", /[^\P{Cc}\t\n\r]/u],
  ["direction", /\p{Bidi_Control}/u],
  ["tag", /[\u{e0000}-\u{e007f}]/u],
  // The joiners belong to some scripts and to emoji; between two Latin letters they only hide.
  [
    "zero-width",
    /[\u00ad\u180e\u200b\u2028\u2029\u2060-\u2064\u2800\u3164\ufeff\uffa0]|[\u{e0100}-\u{e01ef}]|(?<=[a-z])[\u200c\u200d](?=[a-z])/iu,
  ],
];

// One finding says it; a file full of them says no more.
const mostFound = 20;

/** Finds control, direction, tag and zero-width characters, and comments that say something. */
export function findHiddenText(text: string): readonly HiddenText[] {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const found: HiddenText[] = [];
  // A text without any is passed at once.
  if (!kinds.some(([, pattern]) => pattern.test(plain))) return findComments(plain);
  for (const [index, line] of plain.split("\n").entries()) {
    for (const [kind, pattern] of kinds) {
      const match = pattern.exec(line);
      if (match === null) continue;
      found.push({ kind, line: index + 1, column: match.index + 1, text: codePoints(line, pattern) });
    }
    if (found.length >= mostFound) return found;
  }
  return [...found, ...findComments(plain)].slice(0, mostFound);
}

function codePoints(line: string, pattern: RegExp): string {
  const hidden = Array.from(line).filter((char) => pattern.test(char));
  const codes = hidden
    .slice(0, 8)
    .map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  const spelt = hidden.map((char) => tagLetter(char.codePointAt(0) ?? 0)).join("");
  return spelt === "" ? codes.join(" ") : `${codes.join(" ")} (${JSON.stringify(spelt)})`;
}

/** Tag characters are invisible twins of ASCII. */
function tagLetter(code: number): string {
  return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : "";
}

// One word is a mark, and some tools take a few; anything else is meant for somebody.
const forTools = /^\S*$|^(?:prettier|markdownlint|eslint|textlint|vale|cspell|spell-checker|toc)\b.*$/is;

// As HTML, or as a link that leads nowhere: `[//]: # (text)`.
const comment = /<!--|^ {0,3}\[[^\]\n]{0,100}\]:[ \t]*#[ \t]*/gm;

/** In code a comment is there to be seen. */
function findComments(text: string): readonly HiddenText[] {
  const found: HiddenText[] = [];
  if (text.search(comment) < 0) return found;
  for (const match of maskCode(text).matchAll(comment)) {
    if (found.length >= mostFound) return found;
    const at = match.index;
    // Bounded, so that comments without an end cost no more than others.
    const rest = text.slice(at + match[0].length, at + 2000);
    const end = rest.search(match[0] === "<!--" ? /-->/ : /\n|$/);
    const inside = (end < 0 ? rest : rest.slice(0, end)).trim();
    if (forTools.test(inside) || !/\p{L}/u.test(inside)) continue;
    const before = text.slice(0, at);
    const said = inside.replace(/\s+/g, " ").slice(0, 100);
    found.push({ kind: "comment", line: before.split("\n").length, column: at - before.lastIndexOf("\n"), text: said });
  }
  return found;
}

/** A finding as a sentence. */
export function describeHiddenText({ kind, text }: HiddenText): string {
  if (kind === "comment") return `a comment that readers do not see: ${JSON.stringify(text)}`;
  const what = {
    control: "control characters",
    direction: "characters that turn text around",
    tag: "invisible tag characters",
    "zero-width": "characters without width",
  }[kind];
  return `${what} that readers do not see: ${text}`;
}
