/**
 * Words as they are written → terms, for ASCII. A table of our own, because a text's words are looked up where they stand:
 * no string is made for a word that is known, which is nearly every one.
 *
 *   slot:  [ hash, entry ]
 *   entry: [ where its letters begin, how many, term ]
 */
export class Spellings {
  #slots = new Int32Array(1 << 15);
  #entries = new Int32Array(1 << 14);
  #letters = new Uint8Array(1 << 16);
  #count = 0;
  #used = 0;

  get size(): number {
    return this.#count;
  }

  /** The term of the letters from `start` to `end`, upper case taken for lower; -1 where they are new. */
  find(text: string, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 2;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const entry = slots[slot + 1] as number;
      if (entry === 0) return -1;
      if (slots[slot] === hash && this.#isSame(entry, text, start, end)) return this.#entries[entry + 2] as number;
    }
  }

  add(text: string, start: number, end: number, hash: number, term: number): void {
    this.#count++;
    const entry = this.#count * 3;
    if (entry + 3 > this.#entries.length) this.#entries = doubled(this.#entries, Int32Array);
    while (this.#used + end - start > this.#letters.length) this.#letters = doubled(this.#letters, Uint8Array);
    this.#entries[entry] = this.#used;
    this.#entries[entry + 1] = end - start;
    this.#entries[entry + 2] = term;
    for (let index = start; index < end; index++) this.#letters[this.#used++] = lower(text.charCodeAt(index));
    if (this.#count * 4 > this.#slots.length) this.#widen();
    this.#place(entry, hash);
  }

  #isSame(entry: number, text: string, start: number, end: number): boolean {
    if (this.#entries[entry + 1] !== end - start) return false;
    let letter = this.#entries[entry] as number;
    for (let index = start; index < end; index++) {
      if (this.#letters[letter++] !== lower(text.charCodeAt(index))) return false;
    }
    return true;
  }

  #place(entry: number, hash: number): void {
    const mask = this.#slots.length - 2;
    let slot = (hash << 1) & mask;
    while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = entry;
  }

  #widen(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (let slot = 0; slot < before.length; slot += 2) {
      if (before[slot + 1] !== 0) this.#place(before[slot + 1] as number, before[slot] as number);
    }
  }
}

/** One more letter, in lower case, of a word's hash (FNV-1a). */
export function hashLetter(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export const emptyHash = 0x811c9dc5 | 0;

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code;
}

function doubled<T extends Int32Array | Uint8Array>(array: T, make: { new (length: number): T }): T {
  const larger = new make(array.length * 2);
  larger.set(array);
  return larger;
}
