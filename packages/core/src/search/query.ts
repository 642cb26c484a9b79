import { translateWords } from "./glossary.ts";
import type { Query } from "./search-index.ts";
import type { SimilarWords } from "./similar.ts";
import { readWords, wordKey } from "./words.ts";

/** What is known of the words that skills hold. */
interface Vocabulary {
  holds(key: string): boolean;
  readonly similar: Pick<SimilarWords, "misspelt" | "startingWith">;
}

// What a task is stands at the beginning of a long message, or at its end.
const readCharacters = 4000;

// What is quoted at length, code and addresses are what a task works on, not what it is.
const quoted = /```[\s\S]*?(?:```|$)|["“][^"“”\n]{60,2000}["”]|(?<!\w)['‘][^"“”\n]{60,2000}?['’](?!\w)|https?:\/\/\S+/g;
const quotedShare = 0.5;
const codeShare = 0.2;
const refusal = /\b(?:do not|don['’]t|without|rather than|instead of|not)\b/i;
const refusedShare = 0.3;
const numberShare = 0.3;
const joinedShare = 0.2;
// Tasks are said at the beginning of a message, or at its end.
const fading = 0.02;

/** The words of a request, each with how much it counts, and which two stand side by side. */
export function parseQuery(query: string, vocabulary: Vocabulary): Query {
  const isLong = query.length > 2 * readCharacters;
  const text = isLong ? `${query.slice(0, readCharacters)}\n${query.slice(-readCharacters)}` : query;
  const reader = new QueryReader(vocabulary);
  const passages: string[] = [];
  const said = text.replace(quoted, (passage) => {
    passages.push(passage);
    return "\n";
  });
  const clauses = said.split(/[,;!?\n]|\.(?=\s|$)/);
  const isRefused = (clause: string) => refusal.test(clause);
  // Who only says what not to do means just that.
  const refuses = clauses.every((clause) => isRefused(clause) || clause.trim() === "");
  for (const clause of clauses) reader.read(clause, !refuses && isRefused(clause) ? refusedShare : 1);
  const isBare = reader.words.size < 3;
  const words = fade(reader.words);
  for (const passage of passages) {
    reader.read(passage, isBare ? 1 : passage.startsWith("```") ? codeShare : quotedShare);
  }
  for (const [key, share] of reader.words) if (!words.has(key)) words.set(key, share);
  const others = translateWords(text).flatMap((english) => wordKey(english) ?? []);
  return { words, others: new Set(others.filter((key) => !words.has(key))), pairs: reader.pairs };
}

/** The middle of a long message counts less. */
function fade(words: ReadonlyMap<string, number>): Map<string, number> {
  const last = words.size - 1;
  return new Map([...words].map(([key, share], at) => [key, share / (1 + fading * Math.min(at, last - at))]));
}

class QueryReader {
  readonly words = new Map<string, number>();
  readonly pairs: (readonly [string, string])[] = [];
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  add(key: string | undefined, share: number): void {
    if (key === undefined || this.words.has(key)) return;
    this.words.set(key, /^\d+$/.test(key) ? share * numberShare : share);
  }

  read(clause: string, share: number): void {
    let last = "";
    let lastKey: string | undefined;
    readWords(clause, {
      word: (word) => {
        const key = wordKey(word);
        this.add(key, share);
        if (key !== undefined && lastKey !== undefined) this.pairs.push([lastKey, key]);
        // "sign up" is also "signup".
        const joined = last === "" ? undefined : wordKey(last + word);
        if (joined !== undefined && this.#vocabulary.holds(joined)) this.add(joined, share * joinedShare);
        last = key === undefined ? "" : word;
        lastKey = key ?? lastKey;
      },
      variant: (part) => {
        // `GitHub` is a word that skills know; `pdfForms` is only its parts.
        const whole = wordKey(last);
        if (whole === undefined || !this.#vocabulary.holds(whole)) this.add(wordKey(part), share);
      },
      gap: () => {
        last = "";
        lastKey = undefined;
      },
    });
  }
}

const guessShare = 0.6;
// A message may hold many names and numbers that nobody knows.
const mostGuesses = 3;

/** The same with what somebody may have meant: words that they misspelt. */
export function correctWords(query: Query, vocabulary: Vocabulary): Query {
  const unknown = [...query.words].filter(([key]) => /^\p{L}{4,}$/u.test(key) && !vocabulary.holds(key));
  if (unknown.length === 0) return query;
  const words = new Map(query.words);
  const holds = (key: string) => vocabulary.holds(key);
  for (const [key, weight] of unknown.slice(0, mostGuesses)) {
    for (const guess of vocabulary.similar.misspelt(key, holds))
      if (!words.has(guess)) words.set(guess, weight * guessShare);
  }
  return { ...query, words };
}

/** The same with what the last word may become. */
export function completeWord(query: Query, typed: string, vocabulary: Vocabulary): Query {
  const [last = ""] = /[\p{L}\p{N}]{2,}$/u.exec(typed.slice(-64).toLowerCase()) ?? [];
  if (last === "") return query;
  const words = new Map(query.words);
  const holds = (key: string) => vocabulary.holds(key);
  for (const guess of vocabulary.similar.startingWith(last, holds)) if (!words.has(guess)) words.set(guess, guessShare);
  return { ...query, words };
}
