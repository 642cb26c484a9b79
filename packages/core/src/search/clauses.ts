import { gap } from "./vocabulary.ts";

// Found by measuring (bench/retrieval.ts).
const phraseShare = 0.3;
const exclusionShare = 0.45;
const pairShare = 0.15;

/** How much each term of a query counts, and which two stand side by side in it. */
export interface Wanted {
  readonly weights: ReadonlyMap<number, number>;
  readonly pairs: ReadonlySet<number>;
}

/** What each document claims and what it excludes, clause by clause, as terms in one growing array. */
export class Clauses {
  #terms = new Uint32Array(1 << 14);
  /** Where a document's claims begin, and its exclusions; what follows is the next one's. */
  readonly #starts: number[] = [];
  #used = 0;

  add(claims: readonly number[], exclusions: readonly number[]): void {
    this.#starts.push(this.#used);
    this.#append(claims);
    this.#starts.push(this.#used);
    this.#append(exclusions);
  }

  /** What is won where the words of a query stand together as in the document's own clauses, less what it excludes. */
  judge(document: number, wanted: Wanted): number {
    const middle = this.#starts[document * 2 + 1] as number;
    const end = this.#starts[document * 2 + 2] ?? this.#used;
    const claimed = this.#rate(this.#starts[document * 2] as number, middle, wanted);
    const excluded = this.#rate(middle, end, wanted);
    return phraseShare * claimed.phrases + pairShare * claimed.pairs - exclusionShare * excluded.phrases;
  }

  #rate(start: number, end: number, { weights, pairs }: Wanted): { readonly phrases: number; readonly pairs: number } {
    const seen = new Set<number>();
    let [phraseSum, pairSum] = [0, 0];
    let [held, count, length, last] = [0, 0, 0, gap];
    for (let at = start; at <= end; at++) {
      const term = at === end ? gap : (this.#terms[at] as number);
      if (term === gap) {
        // Half a clause may be chance; one word says something where it is the whole of it.
        if (count > 1 || (count === 1 && length === 1)) phraseSum += (held * count) / length;
        [held, count, length, last] = [0, 0, 0, gap];
        continue;
      }
      const weight = weights.get(term);
      length++;
      if (weight !== undefined) {
        held += weight;
        count++;
        const pair = pairOf(last, term);
        if (pairs.has(pair) && !seen.has(pair)) pairSum += weight + (weights.get(last) ?? 0);
        seen.add(pair);
      }
      last = term;
    }
    return { phrases: phraseSum, pairs: pairSum };
  }

  #append(terms: readonly number[]): void {
    if (this.#used + terms.length > this.#terms.length) {
      const larger = new Uint32Array(Math.max(this.#used + terms.length, Math.ceil(this.#terms.length * 1.5)));
      larger.set(this.#terms);
      this.#terms = larger;
    }
    this.#terms.set(terms, this.#used);
    this.#used += terms.length;
  }
}

/** One number for two terms; there are far fewer than this. */
export function pairOf(a: number, b: number): number {
  return a * 0x400_0000 + b;
}
