import { SimilarWords } from "./similar.ts";
import { Spellings } from "./spellings.ts";
import { isUnspaced, readWords, wordKey } from "./words.ts";

/** A text as terms: its words in their order, and other ways to say them. */
export interface ReadText {
  /** With `gap` between clauses. */
  readonly flow: readonly number[];
  readonly variants: readonly number[];
  /** Some of it is in a script without spaces. */
  readonly foreign: boolean;
}

/** The end of a clause, in the place of a term. */
export const gap = 0;
const parting = 1;
const firstTerm = 2;
// Beyond this, new ones are worked out each time.
const mostSpellings = 500_000;

/** Words ↔ terms, the numbers by which an index knows them. */
export class Vocabulary {
  readonly #terms = new Map<string, number>();
  readonly #keys: string[] = ["", ""];
  /** Words as they are written, so that each is stemmed once. */
  readonly #spellings = new Spellings();
  /** Terms that stand in a name or description, and not only in a body. */
  readonly #spoken = new Set<number>();
  #similar: SimilarWords | undefined;

  get size(): number {
    return this.#keys.length;
  }

  find(key: string): number | undefined {
    return this.#terms.get(key);
  }

  keyOf(term: number): string {
    return this.#keys[term] as string;
  }

  /** Words of names and descriptions that somebody may have meant. */
  get similar(): SimilarWords {
    if (this.#similar === undefined) {
      this.#similar = new SimilarWords();
      for (const term of this.#spoken) this.#similar.add(this.keyOf(term));
    }
    return this.#similar;
  }

  speak(term: number): void {
    if (this.#spoken.has(term)) return;
    this.#spoken.add(term);
    this.#similar?.add(this.keyOf(term));
  }

  read(text: string, what: "words" | "variants"): ReadText {
    const flow: number[] = [];
    const variants: number[] = [];
    let foreign = false;
    const push = (term: number) => {
      if (term >= firstTerm) flow.push(term);
      else if (term === parting) close();
    };
    const close = () => {
      if (flow.length > 0 && flow.at(-1) !== gap) flow.push(gap);
    };
    const variant = (word: string) => {
      const term = this.#termOf(word);
      if (term >= firstTerm) variants.push(term);
    };
    readWords(text, {
      word: (word) => {
        foreign ||= isUnspaced(word);
        push(this.#termOf(word));
      },
      plain: (text, start, end, hash) => push(this.#termAt(text, start, end, hash)),
      gap: close,
      ...(what === "variants" && { variant }),
    });
    return { flow, variants, foreign };
  }

  #termAt(text: string, start: number, end: number, hash: number): number {
    const known = this.#spellings.find(text, start, end, hash);
    if (known >= 0) return known;
    const term = this.#termOf(text.slice(start, end).toLowerCase());
    if (this.#spellings.size < mostSpellings) this.#spellings.add(text, start, end, hash, term);
    return term;
  }

  /** 0 for a word that tells nothing, 1 for one that parts a list. */
  #termOf(word: string): number {
    const key = wordKey(word);
    if (key === undefined) return word === "or" ? parting : 0;
    const known = this.#terms.get(key);
    if (known !== undefined) return known;
    const term = this.#keys.push(key) - 1;
    this.#terms.set(key, term);
    return term;
  }
}
