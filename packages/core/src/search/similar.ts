/** Words that somebody may have meant: found by their first letter and length, so that few are compared. */
export class SimilarWords {
  readonly #groups = new Map<string, string[]>();
  readonly #sorted: string[] = [];
  #isSorted = true;

  add(word: string): void {
    const group = this.#groups.get(groupOf(word, word.length));
    if (group === undefined) this.#groups.set(groupOf(word, word.length), [word]);
    else group.push(word);
    this.#sorted.push(word);
    this.#isSorted = false;
  }

  /** Words one mistake away, or two from a long one; the nearest only. */
  misspelt(word: string, isKnown: (word: string) => boolean): readonly string[] {
    if (word.length < 4 || word.length > 32) return [];
    const most = word.length < 6 ? 1 : 2;
    let nearest = most + 1;
    let found: string[] = [];
    for (let length = word.length - most; length <= word.length + most; length++) {
      for (const other of this.#groups.get(groupOf(word, length)) ?? []) {
        const distance = mistakes(word, other, nearest);
        // Words stay here when their skill is gone.
        if (distance > nearest || distance > most || !isKnown(other)) continue;
        if (distance < nearest) found = [];
        nearest = distance;
        found.push(other);
      }
    }
    return found.sort().slice(0, mostFound);
  }

  /** Words that begin like this, the shortest first. */
  startingWith(beginning: string, isKnown: (word: string) => boolean): readonly string[] {
    if (!this.#isSorted) this.#sorted.sort();
    this.#isSorted = true;
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as string) < beginning) low = middle + 1;
      else high = middle;
    }
    const found: string[] = [];
    for (let at = low; this.#sorted[at]?.startsWith(beginning) && found.length < 1000; at++) {
      if (isKnown(this.#sorted[at] as string)) found.push(this.#sorted[at] as string);
    }
    return found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, mostFound);
  }
}

const mostFound = 8;

function groupOf(word: string, length: number): string {
  return `${word[0]}${length}`;
}

/** Letters that were left out, put in, changed or swapped between two words; gives up beyond `most`. */
export function mistakes(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const change = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = swapped ? at(before, column - 2) + 1 : 99;
      const value = Math.min(change, swap, at(previous, column) + 1, at(current, column - 1) + 1);
      current.push(value);
      least = Math.min(least, value);
    }
    if (least > most) return most + 1;
    before = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 99;
}
