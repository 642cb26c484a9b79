import { nameKey } from "./name.ts";
import { endsBetween, isWordSign, signAt, signBefore, startsBetween } from "./word-edges.ts";

// What is longer or more is no list of words, and would be looked for in every message.
const wordLength = 200;
const wordsMaximum = 100;

/** A text as words are compared: no matter the case, the width of letters, or how many blanks there are. */
export function foldText(text: string): string {
  // To capitals first: they know that ß is ss. A sigma at the end of a word is a sigma.
  const folded = nameKey(text).toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return folded.split(/\s+/).join(" ").trim();
}

/** The words and phrases, as they were written, that stand in a folded text as whole words. */
export function wordsIn(folded: string, words: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return words.slice(0, wordsMaximum).filter((word) => {
    const wanted = word.length > wordLength ? "" : foldText(word);
    if (wanted === "" || seen.has(wanted) || !hasWord(folded, wanted)) return false;
    seen.add(wanted);
    return true;
  });
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWhole(text, at, at + word.length)) return true;
  }
  return false;
}

/** Whether a word stands for itself: `say` does not in "essay", but 翻訳 does in 翻訳して. */
function isWhole(text: string, start: number, end: number): boolean {
  const [first, last] = [signAt(text, start), signBefore(text, end)];
  const begins = start === 0 || !isWordSign(first) || startsBetween(signBefore(text, start), first);
  const ends = end === text.length || !isWordSign(last) || endsBetween(last, signAt(text, end));
  return begins && ends;
}
