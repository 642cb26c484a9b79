import { Clauses, pairOf } from "./clauses.ts";
import { Postings } from "./postings.ts";
import type { SimilarWords } from "./similar.ts";
import { gap, type ReadText, Vocabulary } from "./vocabulary.ts";
import { isUnspaced } from "./words.ts";

/** What of a skill is searched. */
export interface SearchText {
  readonly name: string;
  /** Description, when to use it, tags. */
  readonly uses: string;
  /** What it says that it is not for. */
  readonly exclusions: string;
  readonly body: string;
}

/** A request, read: its words and how much each counts, and which two stand side by side. */
export interface Query {
  readonly words: ReadonlyMap<string, number>;
  /** Other ways to say the same, which need not be there. */
  readonly others: ReadonlySet<string>;
  readonly pairs: readonly (readonly [string, string])[];
}

/** A document that shares words with a query. */
export interface Match<T> {
  readonly item: T;
  /** How much of the query it holds, by the weight of its words, unknown ones included: 0 to 1. */
  readonly coverage: number;
  /** For comparing the documents of one query. */
  readonly score: number;
  /** Keys of the words that it holds. */
  readonly words: readonly string[];
}

/** How much a word counts by where it stands; a text longer than `usual` is held back, the more the stronger the bend. */
interface Field {
  readonly weight: number;
  readonly bend: number;
  readonly usual: number;
}

// Found by measuring (bench/retrieval.ts). Fixed lengths, not those of the catalog, so that one more skill changes no other.
const nameField: Field = { weight: 1, bend: 0.5, usual: 3 };
const usesField: Field = { weight: 1, bend: 0.2, usual: 28 };
const bodyField: Field = { weight: 0.2, bend: 0.75, usual: 330 };
const unknown = 0;
const saturation = 1.2;
const foreignShare = 0.3;
// A bit for each word of a query that counts.
const mostWords = 32;
const judgedClosely = 100;

interface Asked {
  readonly term: number;
  readonly weight: number;
  readonly isOther: boolean;
}

interface Found {
  readonly document: number;
  readonly coverage: number;
  readonly score: number;
  readonly mask: number;
}

/** Words → documents, in memory. Adding, changing and removing one document takes no longer among many. */
export class SearchIndex<T> {
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new Postings();
  readonly #clauses = new Clauses();
  /** By document; removed ones stay as gaps until the index is made anew. */
  readonly #items: (T | undefined)[] = [];
  readonly #documents = new Map<T, number>();
  /** Documents with text in scripts without spaces. */
  readonly #foreign = new Set<number>();
  // Scratch, zero between two uses: the weight of each term in the document at hand, and of each document for a query.
  #weights = new Float32Array(1 << 12);
  #scores = new Float64Array(1 << 8);
  #masks = new Uint32Array(1 << 8);

  get size(): number {
    return this.#documents.size;
  }

  /** Documents that are no longer there and still take room. */
  get removed(): number {
    return this.#items.length - this.#documents.size;
  }

  /** Words of names and descriptions that somebody may have meant. */
  get similar(): SimilarWords {
    return this.#vocabulary.similar;
  }

  has(item: T): boolean {
    return this.#documents.has(item);
  }

  add(item: T, text: SearchText): void {
    const document = this.#items.push(item) - 1;
    this.#documents.set(item, document);
    const name = this.#vocabulary.read(text.name.replaceAll("_", " "), "variants");
    const uses = this.#vocabulary.read(text.uses, "variants");
    const body = this.#vocabulary.read(text.body, "words");
    const exclusions = text.exclusions === "" ? [] : this.#vocabulary.read(text.exclusions, "words").flow;
    this.#clauses.add([...name.flow, gap, ...uses.flow], exclusions);
    if (name.foreign || uses.foreign || body.foreign) this.#foreign.add(document);
    const terms: number[] = [];
    this.#weigh(name, nameField, terms);
    this.#weigh(uses, usesField, terms);
    for (const term of terms) this.#vocabulary.speak(term);
    this.#weigh(body, bodyField, terms);
    for (const term of terms) {
      const weight = this.#weights[term] as number;
      this.#weights[term] = 0;
      // How much a word adds the more often it comes, as a byte.
      this.#postings.add(term, document, Math.max(1, Math.round((weight / (weight + saturation)) * 255)));
    }
  }

  remove(item: T): void {
    const document = this.#documents.get(item);
    if (document === undefined) return;
    this.#documents.delete(item);
    this.#items[document] = undefined;
    this.#foreign.delete(document);
  }

  /** Whether any document holds the word. */
  holds(key: string): boolean {
    const term = this.#termOf(key);
    return term !== unknown && this.#count(term) > 0;
  }

  /** The documents that share words with a query, best first. */
  match(query: Query, limit: number, accept: (item: T) => boolean): readonly Match<T>[] {
    const asked = this.#ask(query);
    if (asked.length === 0) return [];
    const total = Math.max(
      sumOf(asked.filter(({ isOther }) => !isOther)),
      sumOf(asked.filter(({ isOther }) => isOther)),
    );
    const known = total / (total + this.#weighUnknown(query.words));
    const weights = new Map(asked.map(({ term, weight }) => [term, weight / total]));
    const pairs = this.#pairs(query.pairs);
    return this.#chooseBest(asked, total, Math.max(judgedClosely, limit), accept)
      .map(({ document, coverage, score, mask }) => ({
        item: this.#items[document] as T,
        coverage: coverage * known,
        score: score + this.#clauses.judge(document, { weights, pairs }),
        words: asked.flatMap(({ term }, bit) => ((mask >>> bit) & 1 ? [this.#vocabulary.keyOf(term)] : [])),
      }))
      .sort((a, b) => b.score - a.score);
  }

  #termOf(key: string): number {
    return this.#vocabulary.find(key) ?? unknown;
  }

  #pairs(pairs: Query["pairs"]): ReadonlySet<number> {
    const terms = pairs.map(([a, b]) => [this.#termOf(a), this.#termOf(b)] as const);
    return new Set(terms.flatMap(([a, b]) => (a === unknown || b === unknown ? [] : [pairOf(a, b)])));
  }

  #weigh({ flow, variants }: ReadText, { weight, bend, usual }: Field, terms: number[]): void {
    let length = 0;
    for (const term of flow) if (term !== gap) length++;
    const share = weight / (1 - bend + (bend * length) / usual);
    if (this.#weights.length < this.#vocabulary.size) {
      const larger = new Float32Array(this.#vocabulary.size * 2);
      larger.set(this.#weights);
      this.#weights = larger;
    }
    const weights = this.#weights;
    for (const list of [flow, variants]) {
      for (const term of list) {
        if (term === gap) continue;
        const before = weights[term] as number;
        if (before === 0) terms.push(term);
        weights[term] = before + share;
      }
    }
  }

  /** The words of a query that tell the most. */
  #ask({ words, others }: Query): readonly Asked[] {
    const asked: Asked[] = [];
    for (const [key, weight] of [...words, ...[...others].map((key) => [key, 1] as const)]) {
      const term = this.#termOf(key);
      const count = term === unknown ? 0 : this.#count(term);
      if (count === 0) continue;
      // A word of a script that few documents are written in is rare, and says no more for it.
      const isForeign = isUnspaced(key);
      const rarity = rarityOf(count, isForeign ? this.#foreign.size : this.size);
      asked.push({ term, weight: rarity * weight * (isForeign ? foreignShare : 1), isOther: others.has(key) });
    }
    return asked.sort((a, b) => b.weight - a.weight || a.term - b.term).slice(0, mostWords);
  }

  /** What the words that no document holds would be worth. */
  #weighUnknown(words: Query["words"]): number {
    let sum = 0;
    for (const [key, weight] of words) if (!this.holds(key)) sum += weight * rarityOf(0, this.size);
    return sum;
  }

  #count(term: number): number {
    if (this.removed === 0) return this.#postings.count(term);
    let count = 0;
    this.#postings.each(term, (document) => {
      if (this.#items[document] !== undefined) count++;
    });
    return count;
  }

  /** The documents that share the most with a query; many share something. */
  #chooseBest(asked: readonly Asked[], total: number, limit: number, accept: (item: T) => boolean): readonly Found[] {
    const coverage = coverageTable(asked);
    const best: Found[] = [];
    let least = 0;
    for (const document of this.#collect(asked)) {
      const mask = this.#masks[document] as number;
      const sum = this.#scores[document] as number;
      this.#scores[document] = 0;
      this.#masks[document] = 0;
      // What is not covered only takes away.
      if (sum / total <= least) continue;
      const covered = Math.min(1, coverage(mask) / total);
      const score = (sum / total) * Math.sqrt(covered);
      const item = this.#items[document];
      if (score <= least || item === undefined || !accept(item)) continue;
      best.push({ document, coverage: covered, score, mask });
      if (best.length < limit * 2) continue;
      best.sort(compareFound);
      best.length = limit;
      least = (best.at(-1) as Found).score;
    }
    return best.sort(compareFound).slice(0, limit);
  }

  #collect(asked: readonly Asked[]): readonly number[] {
    if (this.#scores.length < this.#items.length) {
      this.#scores = new Float64Array(this.#items.length * 2);
      this.#masks = new Uint32Array(this.#items.length * 2);
    }
    const touched: number[] = [];
    for (const [bit, { term, weight }] of asked.entries()) {
      const worth = (weight * (saturation + 1)) / 255;
      this.#postings.score(term, worth, 1 << bit, this.#scores, this.#masks, touched);
    }
    return touched;
  }
}

function compareFound(a: Found, b: Found): number {
  return b.score - a.score || a.document - b.document;
}

function sumOf(asked: readonly Asked[]): number {
  return asked.reduce((sum, { weight }) => sum + weight, 0);
}

function rarityOf(count: number, among: number): number {
  return Math.log(1 + (Math.max(0, among - count) + 0.5) / (count + 0.5));
}

/** The weight of the words in a mask, by four look-ups. */
function coverageTable(asked: readonly Asked[]): (mask: number) => number {
  const tables = [0, 8, 16, 24].map((shift) => {
    const table = new Float64Array(256);
    for (let mask = 1; mask < 256; mask++) {
      const bit = 31 - Math.clz32(mask);
      table[mask] = (table[mask ^ (1 << bit)] as number) + (asked[shift + bit]?.weight ?? 0);
    }
    return table;
  });
  const [a, b, c, d] = tables as [Float64Array, Float64Array, Float64Array, Float64Array];
  return (mask) =>
    (a[mask & 255] as number) +
    (b[(mask >>> 8) & 255] as number) +
    (c[(mask >>> 16) & 255] as number) +
    (d[mask >>> 24] as number);
}
