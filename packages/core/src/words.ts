import { stemmer } from "stemmer";

/** The words of a text that say what it is about: lower case, parts of identifiers apart, endings off. */
export function splitWords(text: string): readonly string[] {
  const parted = text.normalize("NFKC").replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ");
  const words: string[] = [];
  for (const raw of cut(parted.toLowerCase())) {
    if (!filler.has(raw)) words.push(stemmer(raw));
  }
  return words;
}

function cut(text: string): readonly string[] {
  if (!unspaced.test(text)) return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const words: string[] = [];
  // Made when it is needed: it holds megabytes. One locale for all machines, so that the same query gives the same answer.
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment);
  return words;
}

// Scripts that are written without spaces.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

// Words that every request or description holds, and so tell none from another.
const filler = new Set(
  `a about all also am an and any anything are as ask at be been but by can could did do does doing done for from get
   give go good had has have hello help her here hey hi him his how i if im in into is it its just know let like make me
   more my need no not of on or our out please s should skill skills so some someone something t task tasks tell than thank thanks that
   the their them then there these they thing things this those to too try up us use used user users uses using very want was way we were
   what when where whether which while who whom why will with work would yes you your`.split(/\s+/),
);
