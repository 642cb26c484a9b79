import type { Skill } from "../skill.ts";
import { clampLimit, type Hit, rankHits, type SearchResult } from "./search.ts";

/** Texts → vectors, from whatever model a host has. */
export type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

// What providers take at once.
const batch = 64;
const compared = 50;

/** The meaning of each skill as a vector, kept up with a list of skills. */
export class MeaningIndex {
  readonly #embed: Embed;
  #vectors = new Map<Skill, Float32Array>();
  #pending: Promise<unknown> = Promise.resolve();

  constructor(embed: Embed) {
    this.#embed = embed;
  }

  /** The skills nearest to a query, best first. */
  async rank(skills: readonly Skill[], query: string, accept: (skill: Skill) => boolean): Promise<readonly Skill[]> {
    const next = this.#pending.then(() => this.#update(skills));
    this.#pending = next.catch(() => undefined);
    await next;
    const [asked] = await this.#vectorsOf([query]);
    if (asked === undefined) return [];
    return skills
      .filter((skill) => accept(skill) && this.#vectors.has(skill))
      .map((skill) => ({ skill, nearness: dot(asked, this.#vectors.get(skill) as Float32Array) }))
      .sort((a, b) => b.nearness - a.nearness)
      .slice(0, compared)
      .map(({ skill }) => skill);
  }

  async #update(skills: readonly Skill[]): Promise<void> {
    const kept = new Map<Skill, Float32Array>();
    for (const skill of skills) {
      const vector = this.#vectors.get(skill);
      if (vector !== undefined) kept.set(skill, vector);
    }
    this.#vectors = kept;
    const fresh = skills.filter((skill) => !kept.has(skill));
    // Kept batch by batch: what was paid for once is not asked for again.
    for (let from = 0; from < fresh.length; from += batch) {
      const some = fresh.slice(from, from + batch);
      const vectors = await this.#vectorsOf(some.map(({ name, description }) => `${name}: ${description}`));
      for (const [index, skill] of some.entries()) kept.set(skill, vectors[index] as Float32Array);
    }
  }

  async #vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const vectors = await this.#embed(texts);
    if (vectors.length === texts.length) return vectors.map(normalised);
    throw new Error(`the embedding function gave ${vectors.length} vectors for ${texts.length} texts`);
  }
}

/** One ranking from two: what both put first is first. Matches by path and name stay before all others. */
export function fuseMeaning(found: SearchResult, meant: readonly Skill[], limit?: number): SearchResult {
  const [named, worded] = partition(found.hits, ({ reason }) => reason !== "token_overlap");
  const places = [
    new Map(worded.map(({ skill }, place) => [skill, place])),
    new Map(meant.map((skill, place) => [skill, place])),
  ];
  const words = new Map(worded.map((hit) => [hit.skill, hit.words]));
  const isNamed = new Set(named.map(({ skill }) => skill));
  const fused = [...new Set([...worded.map(({ skill }) => skill), ...meant])].flatMap((skill): Hit[] => {
    if (isNamed.has(skill)) return [];
    const share = places.reduce((sum, place) => sum + weightOf(place.get(skill)), 0) / (places.length * weightOf(0));
    const reason = words.has(skill) ? "token_overlap" : "meaning";
    return [{ skill, score: Math.round(share * 8900) / 10_000, reason, words: words.get(skill) ?? [] }];
  });
  const ranked = rankHits(found.query, clampLimit(limit), [...named, ...fused]);
  // A place in two lists says nothing of how sure it is.
  return { ...ranked, confident: found.confident };
}

function weightOf(place: number | undefined): number {
  return place === undefined ? 0 : 1 / (20 + place);
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function normalised(vector: ArrayLike<number>): Float32Array {
  const copy = Float32Array.from(vector);
  const length = Math.sqrt(dot(copy, copy)) || 1;
  return copy.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < Math.min(a.length, b.length); index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
