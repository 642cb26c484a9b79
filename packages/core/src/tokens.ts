import { isUsualTriple } from "./letter-triples.ts";

// What a character of a script costs, up to a code point: from what two public tokenizers made of ordinary texts, rounded up.
const scripts: readonly (readonly [below: number, tokens: number])[] = [
  [0xa0, 2],
  [0x100, 1],
  [0x250, 1.6],
  [0x370, 2],
  [0x400, 1.3],
  [0x460, 0.6],
  [0x530, 1.8],
  [0x590, 2],
  [0x600, 1.3],
  [0x700, 0.9],
  [0x900, 2],
  [0x980, 1.2],
  [0xe00, 2.2],
  [0xe80, 1.3],
  [0x1100, 2.2],
  [0x1e00, 3],
  [0x1f00, 1.6],
  [0x2000, 2.8],
  [0x2070, 1.4],
  [0x3000, 2],
  [0x3040, 1],
  [0x3100, 1.15],
  [0x3400, 2],
  [0x4e00, 3],
  [0xa000, 1.5],
  [0xac00, 2.6],
  [0xd7b0, 1.2],
  [0xe000, 1.8],
  [0xff00, 3],
  [0xff70, 2.2],
  [0x10000, 3],
];

const margin = 1.02;

/**
 * What a text costs a model, estimated: about a fifth more than the exact count of ordinary text, so that what is within a
 * budget here is within it there. Only text made of accidents can cost more.
 */
export function countTokens(text: string): number {
  let sum = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    let end = at + 1;
    if (kind === "letter") end = endOfWord(text, at);
    else if (kind !== "other") while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
    sum += costs[kind](text, at, end);
    at = end;
  }
  return Math.ceil(sum * margin);
}

type Kind = "letter" | "digit" | "space" | "line" | "sign" | "other";

const costs: Readonly<Record<Kind, (text: string, start: number, end: number) => number>> = {
  letter: costOfWord,
  digit: (_, start, end) => Math.ceil((end - start) / 3),
  // One goes with the word that follows, but not with a number.
  space: (text, start, end) => (end - start > 1 || kindOf(text.charCodeAt(end)) === "digit" ? 1 : 0),
  line: (_, start, end) => 1 + 0.25 * (end - start - 1),
  sign: costOfSigns,
  other: (text, start) => scripts.find(([below]) => text.charCodeAt(start) < below)?.[1] ?? 3,
};

function kindOf(code: number): Kind {
  if (code > 127) return "other";
  if (isLower(code) || isUpper(code)) return "letter";
  if (code >= 48 && code <= 57) return "digit";
  if (code === 32) return "space";
  return code === 9 || code === 10 || code === 13 ? "line" : "sign";
}

/** Letters up to the next other sign, or to a capital after a small one. */
function endOfWord(text: string, start: number): number {
  let before = text.charCodeAt(start);
  for (let end = start + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (!isLower(code) && !(isUpper(code) && isUpper(before))) return end;
    before = code;
  }
  return text.length;
}

/** What is unusual in English is cut into more pieces: names, and words of other languages. */
function costOfWord(text: string, start: number, end: number): number {
  let odd = 0;
  let capitals = 0;
  let [first, second] = [-1, -1];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const third = (code | 32) - 97;
    if (isUpper(code)) capitals++;
    if (first >= 0 && !isUsualTriple(first, second, third)) odd++;
    [first, second] = [second, third];
  }
  const length = end - start;
  const long = 0.02 * Math.max(0, length - 5) + 0.25 * Math.max(0, length - 12);
  const strange = odd > 0 ? 1.35 * odd + 0.15 * Math.max(0, length - 4) : endsForeign(text, end, length) ? 0.6 : 0;
  return 1 + strange + long + 0.34 * Math.max(0, capitals - 1);
}

// Few English words end like this, and many of other languages do.
function endsForeign(text: string, end: number, length: number): boolean {
  if (length < 4) return false;
  const last = text.charCodeAt(end - 1) | 32;
  const isPlural = last === 115;
  const vowel = isPlural ? text.charCodeAt(end - 2) | 32 : last;
  return vowel === 97 || vowel === 111 || (!isPlural && (vowel === 105 || vowel === 117));
}

function costOfSigns(text: string, start: number, end: number): number {
  let sum = 1;
  for (let at = start + 1; at < end; at++) sum += text.charCodeAt(at) === text.charCodeAt(at - 1) ? 0.3 : 0.8;
  return sum;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}
