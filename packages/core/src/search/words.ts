import { stemmer } from "stemmer";
import { emptyHash, hashLetter } from "./spellings.ts";
import { aliases, stopWords } from "./stop-words.ts";

/** What a text is cut into, piece by piece. */
export interface WordReader {
  /** A word as it was written, in small letters. */
  word(word: string): void;
  /** A part of the word before it, or its parts joined: another way to say it. */
  variant?(word: string): void;
  /** The end of a clause. */
  gap(): void;
  /** A word of ASCII letters and digits where it stands, for those who need no string of it. */
  plain?(text: string, start: number, end: number, hash: number): void;
}

/**
 * Cuts a text into words. Identifiers come apart (`pdfForms`, `pdf-forms`) and stay whole too; text without spaces is cut
 * into pairs of characters, which needs no dictionary and so is the same on every machine.
 */
export function readWords(text: string, reader: WordReader): void {
  const plain = /^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFKC");
  let at = 0;
  while (at < plain.length) {
    const kind = kindOf(plain.charCodeAt(at));
    if (kind === Kind.latin || kind === Kind.upper) at = readLetters(plain, at, reader);
    else if (kind >= Kind.pairs) at = readUnspaced(plain, at, kind, reader);
    else {
      if (kind === Kind.gap || (kind === Kind.edge && isBlank(plain, at + 1))) reader.gap();
      at++;
    }
  }
}

/** What a word is compared by: its stem; undefined for words that tell nothing. */
export function wordKey(word: string): string | undefined {
  const known = aliases.get(word) ?? word;
  if (stopWords.has(known)) return undefined;
  if (/^[a-z]+$/.test(known)) return stemmer(known);
  return /\p{sc=Latin}\p{M}|[\u00c0-\u024f]/u.test(known) ? stemmer(withoutAccents(known)) : known;
}

// "résumé" and "resume" are one word; in other scripts the marks are letters.
function withoutAccents(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
}

const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Whether a word is of a script that is written without spaces, or with few. */
export function isUnspaced(word: string): boolean {
  // All of them come after this.
  return word.charCodeAt(0) > 0x0dff && unspaced.test(word);
}

/** Letters and digits up to the next other sign; `C++`, `C#` and `.NET` keep theirs. */
function readLetters(text: string, start: number, reader: WordReader): number {
  let end = start;
  let hash = emptyHash;
  let code = 0;
  for (; end < text.length; end++) {
    code = text.charCodeAt(end);
    const letter = letters[code & 127] as number;
    if (code > 127 || letter === 0) break;
    hash = hashLetter(hash, letter);
  }
  if (end < text.length && goesOn(code)) return readOddLetters(text, start, reader);
  if (end - start === 3 && start > 0 && text.charCodeAt(start - 1) === dot) return readOddLetters(text, start, reader);
  if (reader.plain !== undefined) reader.plain(text, start, end, hash);
  else reader.word(text.slice(start, end).toLowerCase());
  if (reader.variant !== undefined) readVariants(text, start, end, reader.variant);
  return end;
}

/** Whether a word of ASCII letters may not be over where they end. */
function goesOn(code: number): boolean {
  if (code < 128) return code === plus || code === number;
  const kind = kindOf(code);
  return kind === Kind.latin || kind === Kind.upper;
}

function readOddLetters(text: string, start: number, reader: WordReader): number {
  let end = start;
  while (end < text.length && isLetter(text, end)) end++;
  const signs = signsAfter(text, start, end);
  const word = text.slice(start, end + signs).toLowerCase();
  reader.word(word === "net" && isBlank(text, start - 2) && text[start - 1] === "." ? ".net" : word);
  if (reader.variant !== undefined) readVariants(text, start, end, reader.variant);
  return end + signs;
}

/** The parts of an identifier, and what a hyphen parts joined: `e-commerce` is also `ecommerce`. */
function readVariants(text: string, start: number, end: number, variant: (word: string) => void): void {
  let from = start;
  for (let at = start + 1; at < end; at++) {
    if (kindOf(text.charCodeAt(at)) !== Kind.upper || !startsPart(text, at)) continue;
    variant(text.slice(from, at).toLowerCase());
    from = at;
  }
  if (from > start) variant(text.slice(from, end).toLowerCase());
  if (text.charCodeAt(end) !== hyphen || text.charCodeAt(start - 1) === hyphen) return;
  let next = end + 1;
  while (next < text.length && next - start < 32 && isLetter(text, next)) next++;
  if (next > end + 1) variant((text.slice(start, end) + text.slice(end + 1, next)).toLowerCase());
}

const [hyphen, dot, plus, number] = [45, 46, 43, 35];
// ASCII's letters in lower case, and digits.
const letters = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(char) ? char.toLowerCase().charCodeAt(0) : 0;
});

// `pdfForms` and `PDFForms`, but not `PDFs`.
function startsPart(text: string, at: number): boolean {
  if (kindOf(text.charCodeAt(at - 1)) === Kind.latin) return true;
  return kindOf(text.charCodeAt(at + 1)) === Kind.latin && kindOf(text.charCodeAt(at + 2)) === Kind.latin;
}

function signsAfter(text: string, start: number, end: number): number {
  if (text.startsWith("++", end)) return 2;
  return text[end] === "#" && end - start === 1 ? 1 : 0;
}

/** Han, Hangul and Kana as pairs of characters, and single ones where they stand alone; Katakana as the word it is. */
function readUnspaced(text: string, start: number, kind: Kind, reader: WordReader): number {
  let end = start + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
  const run = text.slice(start, end);
  if (kind === Kind.dictionary) for (const word of segment(run)) reader.word(word);
  else if (kind === Kind.katakana) readKatakana(run, reader);
  // Short runs of Hiragana are endings.
  else if (kind === Kind.hiragana && run.length < 3) return end;
  else if (run.length === 1) reader.word(run);
  else {
    for (let at = 0; at + 1 < run.length; at++) reader.word(run.slice(at, at + 2));
    if (reader.variant !== undefined) for (const char of run) reader.variant(char);
  }
  return end;
}

/** One word, or several that nothing parts. */
function readKatakana(run: string, reader: WordReader): void {
  reader.word(run);
  if (reader.variant === undefined || run.length < 3) return;
  for (let at = 0; at + 1 < run.length; at++) reader.variant(run.slice(at, at + 2));
}

function* segment(run: string): Generator<string> {
  // Made when it is needed: it holds megabytes.
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) yield segment;
}

let segmenter: Intl.Segmenter | undefined;

const Kind = {
  unknown: 0,
  other: 1,
  /** Ends a clause. */
  gap: 2,
  /** Ends a clause before a blank. */
  edge: 3,
  latin: 4,
  upper: 5,
  pairs: 6,
  hiragana: 7,
  katakana: 8,
  dictionary: 9,
} as const;
type Kind = (typeof Kind)[keyof typeof Kind];

const kinds = new Uint8Array(65_536);

function kindOf(code: number): Kind {
  const known = kinds[code & 0xffff] as Kind;
  if (known !== Kind.unknown) return known;
  const kind = judge(String.fromCharCode(code));
  kinds[code] = kind;
  return kind;
}

const tests: readonly (readonly [RegExp, Kind])[] = [
  [/["(),;\n“”、。，；：！？「」]/, Kind.gap],
  [/[.:!?'‘’|[\]{}—–/]/, Kind.edge],
  [/[\p{sc=Hiragana}]/u, Kind.hiragana],
  [/[\p{sc=Katakana}ー]/u, Kind.katakana],
  [/[\p{sc=Han}\p{sc=Hangul}]/u, Kind.pairs],
  [/[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u, Kind.dictionary],
  [/\p{Lu}/u, Kind.upper],
  [/[\p{L}\p{N}\p{M}]/u, Kind.latin],
];

function judge(char: string): Kind {
  return tests.find(([test]) => test.test(char))?.[1] ?? Kind.other;
}

function isLetter(text: string, at: number): boolean {
  const kind = kindOf(text.charCodeAt(at));
  return kind === Kind.latin || kind === Kind.upper;
}

function isBlank(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === 32 || code === 10 || code === 9 || code === 13;
}
