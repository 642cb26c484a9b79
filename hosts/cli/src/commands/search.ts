import { describeSearch, type Scope, type SearchResult, SkillError, scopes } from "@skillholm/core";
import type { Context } from "../context.ts";
import { clip, plain, withProgress } from "../terminal.ts";

export interface SearchCommandOptions {
  readonly limit?: string;
  readonly scope?: string;
}

/** The skills that fit, best first. None is an answer too. */
export async function runSearch(context: Context, query: string, options: SearchCommandOptions): Promise<number> {
  const scope = options.scope === undefined ? {} : { scope: parseScope(options.scope) };
  const limit = options.limit === undefined ? {} : { limit: parseLimit(options.limit) };
  const skills = await context.skills();
  const found = await withProgress("Reading the skills…", skills.search(query, { ...scope, ...limit }));
  if (context.json) await context.terminal.printJson(describeSearch(found));
  else printFound(context, found);
  return 0;
}

function parseScope(text: string): Scope {
  const scope = scopes.find((each) => each === text);
  if (scope === undefined) {
    throw new SkillError("invalid-input", `--scope: "${text}" is no scope. Known: ${scopes.join(", ")}.`);
  }
  return scope;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit > 0) return limit;
  throw new SkillError("invalid-input", `--limit: "${text}" should be a whole number from 1 on; at most 50 are shown.`);
}

function printFound({ terminal }: Context, { hits, truncated, confident }: SearchResult): void {
  if (hits.length === 0) {
    terminal.note("No skill matches. Try the words that its description would use, or: skillholm list");
    return;
  }
  if (!confident) terminal.note("No skill clearly matches. These share words with it:");
  const width = Math.min(
    32,
    hits.reduce((most, { skill }) => Math.max(most, plain(skill.name).length), 0),
  );
  const room = terminal.columns === undefined ? undefined : Math.max(20, terminal.columns - 6);
  for (const { skill, score, reason, words } of hits) {
    const why = words.length === 0 ? reason : `${reason}: ${plain(words.join(", "))}`;
    const name = terminal.style("bold", plain(skill.name).padEnd(width));
    terminal.print(`${score.toFixed(2)}  ${name}  ${terminal.style("dim", `${skill.scope}  ${why}`)}`);
    terminal.print(`      ${clip(plain(skill.description), room)}`);
  }
  if (truncated) terminal.note("There are more: --limit 50, or words that tell them apart.");
}
