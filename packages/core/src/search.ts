import { compareText } from "./diagnostic.ts";
import { nameKey } from "./name.ts";
import { type Scope, scopes } from "./root.ts";
import type { Skill } from "./skill.ts";
import { splitWords } from "./words.ts";

export type SearchReason = "exact_path" | "exact_name" | "prefix" | "token_overlap";

/** A skill that answers to a query; `score` is between 0 and 1. */
export interface Hit {
  readonly skill: Skill;
  readonly score: number;
  readonly reason: SearchReason;
}

export interface SearchResult {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** There were more than `limit`. */
  readonly truncated: boolean;
}

export interface SearchOptions {
  /** Default 8, at most 50. */
  readonly limit?: number;
  readonly scope?: Scope;
}

const defaultLimit = 8;
const mostHits = 50;
// A question says early what it is about; each word is looked up in every skill.
const mostWords = 64;

/** Ranks skills by path, name, the beginning of a name, then by the words that they share with the query. */
export function searchSkills(skills: readonly Skill[], query: string, options: SearchOptions = {}): SearchResult {
  const limit = Math.min(Math.max(1, Math.trunc(options.limit ?? defaultLimit)), mostHits);
  const pool = options.scope === undefined ? skills : skills.filter((skill) => skill.scope === options.scope);
  const words = new Set(splitWords(query).slice(0, mostWords));
  const weights = weigh(words, pool);
  const asked = { text: query.trim(), name: foldName(query) };
  const hits = pool.flatMap((skill) => judge(skill, asked, weights) ?? []);
  hits.sort(compareHits);
  return { query, hits: hits.slice(0, limit), truncated: hits.length > limit };
}

interface Asked {
  readonly text: string;
  /** The same if it is meant as a name. */
  readonly name: string;
}

function judge(skill: Skill, asked: Asked, weights: Weights): Hit | undefined {
  const name = foldName(skill.name);
  if (asked.text === skill.path || asked.text === skill.dir) return { skill, score: 1, reason: "exact_path" };
  if (asked.name === name) return { skill, score: 1, reason: "exact_name" };
  if (asked.name.length > 1 && name.startsWith(asked.name)) {
    return { skill, score: round(0.9 + (0.1 * asked.name.length) / name.length), reason: "prefix" };
  }
  const score = overlap(skill, weights);
  return score > 0 ? { skill, score, reason: "token_overlap" } : undefined;
}

/** How telling each word of the query is, and what they could reach together. */
interface Weights {
  readonly words: ReadonlyMap<string, number>;
  readonly total: number;
}

// A word that few skills hold says more than one that all of them do.
function weigh(words: ReadonlySet<string>, skills: readonly Skill[]): Weights {
  const found = new Map<string, number>();
  for (const word of words) {
    const holders = skills.reduce((count, skill) => count + (wordsOf(skill).all.has(word) ? 1 : 0), 0);
    found.set(word, Math.log(1 + (skills.length + 1) / (holders + 0.5)));
  }
  return { words: found, total: [...found.values()].reduce((sum, weight) => sum + weight, 0) };
}

const nameShare = 0.4;

function overlap(skill: Skill, { words, total }: Weights): number {
  const { name, all } = wordsOf(skill);
  let sum = 0;
  for (const [word, weight] of words) {
    if (all.has(word)) sum += weight * (name.has(word) ? 1 : 1 - nameShare);
  }
  // Below every match by name.
  return total === 0 ? 0 : round(Math.min(0.89, sum / total));
}

interface SkillWords {
  readonly name: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

const known = new WeakMap<Skill, SkillWords>();

function wordsOf(skill: Skill): SkillWords {
  let words = known.get(skill);
  if (words === undefined) {
    const name = new Set(splitWords(skill.name));
    words = { name, all: new Set([...name, ...splitWords(skill.description)]) };
    known.set(skill, words);
  }
  return words;
}

function compareHits(a: Hit, b: Hit): number {
  const scope = scopes.indexOf(a.skill.scope) - scopes.indexOf(b.skill.scope);
  return b.score - a.score || scope || compareText(a.skill.path, b.skill.path);
}

function foldName(name: string): string {
  return nameKey(name.trim()).toLowerCase();
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
