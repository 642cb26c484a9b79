import { translateWords } from "./glossary.ts";
import type { Query } from "./search-index.ts";
import type { SimilarWords } from "./similar.ts";
import { readWords, wordKey } from "./words.ts";

/** What is known of the words that skills hold. */
interface Vocabulary {
  holds(key: string): boolean;
  readonly similar: Pick<SimilarWords, "misspelt" | "startingWith">;
}

// More than a message says what it is about; the rest is what it is about.
const readCharacters = 8000;

// What is quoted at length, code and addresses are what a task works on, not what it is.
const quoted = /```[\s\S]*?(?:```|$)|["“][^"“”\n]{60,2000}["”]|(?<!\w)['‘][^"“”\n]{60,2000}?['’](?!\w)|https?:\/\/\S+/g;
const quotedShare = 0.5;
const refusal = /\b(?:do not|don['’]t|without|rather than|instead of|not)\b/i;
const refusedShare = 0.3;
const translatedShare = 1;
const joinedShare = 0.2;
// What is said first counts more.
const fading = 0.02;

/** The words of a request, each with how much it counts. */
export function parseQuery(query: string, vocabulary: Vocabulary): Query {
  const text = query.slice(0, readCharacters);
  const words = new Map<string, number>();
  const add = (key: string | undefined, share: number) => {
    if (key !== undefined && !words.has(key)) words.set(key, share / (1 + fading * words.size));
  };
  const pairs: (readonly [string, string])[] = [];
  const passages: string[] = [];
  const said = text.replace(quoted, (passage) => {
    passages.push(passage);
    return "\n";
  });
  const read = (part: string, share: number) => {
    for (const clause of part.split(/[,;.!?\n]/))
      readClause(clause, refusal.test(clause) ? share * refusedShare : share);
  };
  const readClause = (clause: string, share: number) => {
    let last = "";
    let lastKey: string | undefined;
    readWords(clause, {
      word: (word) => {
        const key = wordKey(word);
        add(key, share);
        // "sign up" is also "signup".
        const joined = lastKey === undefined || last === "" ? undefined : wordKey(last + word);
        if (joined !== undefined && vocabulary.holds(joined)) add(joined, share * joinedShare);
        if (key !== undefined && lastKey !== undefined) pairs.push([lastKey, key]);
        last = key === undefined ? "" : word;
        lastKey = key ?? lastKey;
      },
      variant: (part) => {
        // `GitHub` is a word that skills know; `pdfForms` is only its parts.
        const whole = wordKey(last);
        if (whole === undefined || !vocabulary.holds(whole)) add(wordKey(part), share);
      },
      gap: () => {
        last = "";
        lastKey = undefined;
      },
    });
  };
  read(said, 1);
  const share = words.size < 3 ? 1 : quotedShare;
  for (const passage of passages) read(passage, share);
  for (const english of translateWords(text)) add(wordKey(english), translatedShare);
  return { words, pairs };
}

const guessShare = 0.6;
// What is longer is a sentence, in which a word that nobody knows is a name or a number.
const mostGuesses = 3;

/** The same with what somebody may have meant: words that they misspelt, or have not finished typing. */
export function guessWords(query: Query, typed: string, vocabulary: Vocabulary, typing: boolean): Query {
  const words = new Map(query.words);
  const unknown = [...query.words].filter(([key]) => !vocabulary.holds(key));
  for (const [key, weight] of unknown.slice(0, mostGuesses)) {
    for (const guess of vocabulary.similar.misspelt(key)) if (!words.has(guess)) words.set(guess, weight * guessShare);
  }
  const [last = ""] = /[\p{L}\p{N}]{2,}$/u.exec(typed.toLowerCase()) ?? [];
  if (last === "" || (!typing && vocabulary.holds(wordKey(last) ?? last))) return { ...query, words };
  for (const guess of vocabulary.similar.startingWith(last)) if (!words.has(guess)) words.set(guess, guessShare);
  return { ...query, words };
}
