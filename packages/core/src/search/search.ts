import { compareText } from "../diagnostic.ts";
import { nameKey } from "../name.ts";
import { type Scope, scopes } from "../root.ts";
import type { Skill } from "../skill.ts";
import { completeWord, correctWords, parseQuery } from "./query.ts";
import type { Match, SearchIndex } from "./search-index.ts";
import { wordKey } from "./words.ts";

export type SearchReason = "exact_path" | "exact_name" | "prefix" | "token_overlap" | "meaning";

/** A skill that answers to a query. */
export interface Hit {
  readonly skill: Skill;
  /** Between 0 and 1. For shared words: how sure it is that the skill is meant. */
  readonly score: number;
  readonly reason: SearchReason;
  /** The words that query and skill share, as stems. */
  readonly words: readonly string[];
}

export interface SearchResult {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** There were more than `limit`. */
  readonly truncated: boolean;
  /** Whether the first is likely meant; otherwise it is only the least bad. */
  readonly confident: boolean;
  /** Why the ranking is by words only, where meaning was asked for and could not be had. */
  readonly problem?: string;
}

export interface SearchOptions {
  /** Default 8, at most 50. */
  readonly limit?: number;
  readonly scope?: Scope;
  /** Somebody is still typing: the last word may be a beginning. */
  readonly typing?: boolean;
}

export interface SearchRequest extends SearchOptions {
  /** Who may be found. */
  accept(skill: Skill): boolean;
}

const defaultLimit = 8;
const mostHits = 50;
// Where it is as likely that another skill, or none, is meant.
const confidence = 0.6;

/** Ranks skills by path, name, the beginning of a name, then by what their words say of the query. */
export function searchSkills(
  index: SearchIndex<Skill>,
  skills: readonly Skill[],
  query: string,
  request: SearchRequest,
): SearchResult {
  const limit = clampLimit(request.limit);
  const { scope, typing = false } = request;
  const accept = (skill: Skill) => (scope === undefined || skill.scope === scope) && request.accept(skill);
  const text = query.trim();
  const named = findNamed(skills, text, typing, accept);
  const related = findRelated(index, query, typing, limit + named.length, accept);
  return rankHits(query, limit, [...named, ...related]);
}

/** One list of hits without repeats, best first. */
export function rankHits(query: string, limit: number, found: readonly Hit[]): SearchResult {
  const hits = new Map<Skill, Hit>();
  for (const hit of found) if (!hits.has(hit.skill)) hits.set(hit.skill, hit);
  const ranked = [...hits.values()].sort(compareHits);
  const [best] = ranked;
  const confident = best !== undefined && best.score >= confidence && !isWeak(best, query);
  return { query, hits: ranked.slice(0, limit), truncated: ranked.length > limit, confident };
}

/** A few letters that a longer word begins with may begin another. */
function isWeak({ reason, skill }: Hit, query: string): boolean {
  const wanted = foldName(query);
  return reason === "prefix" && wanted.length < 4 && foldName(skill.name)[wanted.length] !== "-";
}

export function clampLimit(limit = defaultLimit): number {
  return Math.min(Math.max(1, Math.trunc(limit) || 1), mostHits);
}

function findRelated(
  index: SearchIndex<Skill>,
  query: string,
  typing: boolean,
  limit: number,
  accept: (skill: Skill) => boolean,
): readonly Hit[] {
  const parsed = parseQuery(query, index);
  const corrected = correctWords(parsed, index);
  // A word that nobody knows may be the beginning of one.
  const isOpen = typing || (isShort(query) && corrected === parsed && !knowsLast(index, query));
  const asked = isOpen ? completeWord(corrected, query, index) : corrected;
  // One more than is shown, so that it can be said that there are more.
  return rate(index.match(asked, limit + 1, accept), parsed.words.size);
}

function knowsLast(index: SearchIndex<Skill>, query: string): boolean {
  const key = wordKey(query.trim().toLowerCase().split(/\s+/).at(-1) ?? "");
  return key === undefined || index.holds(key);
}

// A name, or a few words: what people type, and mistype. Sentences are found by their many words.
function isShort(query: string): boolean {
  return query.length <= 64 && query.trim().split(/\s+/).length <= 4;
}

function findNamed(
  skills: readonly Skill[],
  text: string,
  typing: boolean,
  accept: (skill: Skill) => boolean,
): readonly Hit[] {
  if (text === "" || text.length > longestPath) return [];
  const isPath = /[\\/]/.test(text);
  if (!isPath && !isShort(text)) return [];
  const compare = isPath ? comparePath(toPath(text)) : compareName(text, typing);
  return skills.flatMap((skill): Hit[] => {
    const score = compare(skill);
    if (score === 0 || !accept(skill)) return [];
    const reason = score === exactPath ? "exact_path" : score === exactName ? "exact_name" : "prefix";
    return [{ skill, score, reason, words: [] }];
  });
}

const longestPath = 4096;
const exactPath = 1;
const exactName = 0.99;

function comparePath(place: string): (skill: Skill) => number {
  return ({ path, dir }) => (place === path || place === dir ? exactPath : 0);
}

/** By name, by `name@scope`, or by the beginning of a name. */
function compareName(text: string, typing: boolean): (skill: Skill) => number {
  // "Hi" is no beginning of hiring-guide, unless somebody is typing it.
  const mayBegin = typing || wordKey(text.toLowerCase()) !== undefined;
  const wanted = foldName(text);
  const parts = foldName(text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1-"));
  return ({ name, scope }) => {
    const own = foldName(name);
    if (own === wanted || own === parts || `${own}@${scope}` === wanted) return exactName;
    if (!mayBegin || wanted === "" || !own.startsWith(wanted)) return 0;
    return round(0.9 + (0.08 * wanted.length) / own.length);
  };
}

/** `PDF forms`, `pdf_forms` and `pdf-forms` are one name. */
function foldName(name: string): string {
  return nameKey(name.trim())
    .toLowerCase()
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** A path as skills have it: no slash at the end, no scheme. */
function toPath(text: string): string {
  const path = text.startsWith("file://") ? decode(text.slice("file://".length)) : text;
  return path.length > 1 ? path.replace(/[\\/]+$/, "") : path;
}

/**
 * Scores that say how sure it is that a skill is meant, below every match by name. Fitted to requests with an answer and
 * without one (bench/retrieval.ts): many words in common are no accident; few say little, unless they are all there is, and
 * nothing where most of the request is foreign to every skill.
 */
function rate(matches: readonly Match<Skill>[], asked: number): readonly Hit[] {
  const [best] = matches;
  if (best === undefined) return [];
  const whole = asked <= 3 && best.coverage > 0.99 ? 2.5 : 0;
  const foreign = 12 * Math.max(0, 0.25 - best.coverage);
  const doubt = 9.2 - 3.3 * Math.log(1 + best.words.length) - whole + foreign;
  return matches.map(({ item: skill, score, words }) => {
    return { skill, score: round(0.89 / (1 + Math.exp(doubt - 5.3 * score))), reason: "token_overlap", words };
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is one.
    return text;
  }
}

function compareHits(a: Hit, b: Hit): number {
  const scope = scopes.indexOf(a.skill.scope) - scopes.indexOf(b.skill.scope);
  return b.score - a.score || scope || compareText(a.skill.path, b.skill.path);
}

function round(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
