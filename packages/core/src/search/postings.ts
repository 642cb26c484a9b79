/**
 * For each term the documents that hold it, in one growing array: a term's list is a chain of blocks, each twice as large as
 * the one before, so that adding is cheap and reading is a walk over neighbours.
 *
 *   term:  [ first block, last block, entries in the last, entries in all ]
 *   block: [ next block, capacity, entry, entry, … ]
 *   entry: document × 256 + impact
 */
export class Postings {
  #pool = new Uint32Array(1 << 16);
  #used = 1;
  #terms = new Uint32Array(1 << 14);

  add(term: number, document: number, impact: number): void {
    const at = term * 4;
    if (at + 4 > this.#terms.length) this.#terms = grown(this.#terms, at + 4);
    const terms = this.#terms;
    let block = terms[at + 1] as number;
    let fill = terms[at + 2] as number;
    if (block === 0 || fill === this.#pool[block + 1]) {
      block = this.#open(at, block);
      fill = 0;
    }
    this.#pool[block + 2 + fill] = document * 256 + impact;
    terms[at + 2] = fill + 1;
    terms[at + 3] = (terms[at + 3] as number) + 1;
  }

  count(term: number): number {
    return this.#terms[term * 4 + 3] ?? 0;
  }

  /** Calls back for every document of a term, in the order in which they were added. */
  each(term: number, visit: (document: number) => void): void {
    let left = this.count(term);
    for (let block = this.#terms[term * 4] ?? 0; left > 0; block = this.#pool[block] as number) {
      const size = Math.min(left, this.#pool[block + 1] as number);
      for (let at = block + 2; at < block + 2 + size; at++) visit((this.#pool[at] as number) >>> 8);
      left -= size;
    }
  }

  /** Adds what a term is worth to the score of each of its documents, and its bit to their masks. */
  score(term: number, worth: number, bit: number, scores: Float64Array, masks: Uint32Array, touched: number[]): void {
    const pool = this.#pool;
    let left = this.count(term);
    for (let block = this.#terms[term * 4] ?? 0; left > 0; block = pool[block] as number) {
      const size = Math.min(left, pool[block + 1] as number);
      for (let at = block + 2; at < block + 2 + size; at++) {
        const entry = pool[at] as number;
        const document = entry >>> 8;
        if (masks[document] === 0) touched.push(document);
        masks[document] = (masks[document] as number) | bit;
        scores[document] = (scores[document] as number) + worth * (entry & 255);
      }
      left -= size;
    }
  }

  #open(term: number, before: number): number {
    const capacity = before === 0 ? 2 : Math.min(4096, (this.#pool[before + 1] as number) * 2);
    const block = this.#used;
    this.#used += capacity + 2;
    if (this.#used > this.#pool.length) this.#pool = grown(this.#pool, this.#used);
    this.#pool[block + 1] = capacity;
    if (before === 0) this.#terms[term] = block;
    else this.#pool[before] = block;
    this.#terms[term + 1] = block;
    return block;
  }
}

function grown(array: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}
