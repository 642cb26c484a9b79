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
  ["zero-width", /[\u200b\u2060-\u2064\ufeff]|(?<=[a-z])[\u200c\u200d](?=[a-z])/iu],
];

// Any of them, so that a text without one is passed at once.
const any =
  /[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\u{e0000}-\u{e007f}\u200b\u2060-\u2064\ufeff]|(?<=[a-z])[\u200c\u200d](?=[a-z])|<!--/iu;

// One finding says it; a file full of them says no more.
const mostFound = 20;

/** Finds control, direction, tag and zero-width characters, and comments that say something. */
export function findHiddenText(text: string): readonly HiddenText[] {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (!any.test(plain)) return [];
  const found: HiddenText[] = [];
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

// Short ones are marks for tools; a sentence is meant for somebody.
const wordsOfSentence = 4;

function findComments(text: string): readonly HiddenText[] {
  const found: HiddenText[] = [];
  for (let at = text.indexOf("<!--"); at >= 0 && found.length < mostFound; at = text.indexOf("<!--", at + 4)) {
    // Bounded, so that comments without an end cost no more than others.
    const rest = text.slice(at + 4, at + 2000);
    const end = rest.indexOf("-->");
    const inside = (end < 0 ? rest : rest.slice(0, end)).trim();
    if (inside.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length < wordsOfSentence) continue;
    const before = text.slice(0, at);
    const line = before.split("\n").length;
    const said = inside.replace(/\s+/g, " ").slice(0, 100);
    found.push({ kind: "comment", line, column: at - before.lastIndexOf("\n"), text: said });
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
