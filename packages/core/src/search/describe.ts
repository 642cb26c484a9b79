import type { Scope } from "../root.ts";
import type { SearchReason, SearchResult } from "./search.ts";

/** The JSON of `skillholm search`. */
export interface SearchOutput {
  readonly query: string;
  readonly count: number;
  readonly truncated: boolean;
  /** Whether the first is likely meant; otherwise it is only the least bad. */
  readonly confident: boolean;
  /** Why the ranking is by words only, where meaning was asked for. */
  readonly problem?: string;
  readonly results: readonly SearchOutputHit[];
}

interface SearchOutputHit {
  readonly name: string;
  readonly description: string;
  readonly scope: Scope;
  readonly path: string;
  readonly score: number;
  readonly reason: SearchReason;
  /** The words, as stems, that it shares with the query. */
  readonly words: readonly string[];
}

/** What was found, as the JSON that every door gives. */
export function describeSearch({ query, hits, truncated, confident, problem }: SearchResult): SearchOutput {
  const results = hits.map(({ skill: { name, description, scope, path }, score, reason, words }) => {
    return { name, description, scope, path, score, reason, words };
  });
  return { query, count: results.length, truncated, confident, ...(problem !== undefined && { problem }), results };
}
