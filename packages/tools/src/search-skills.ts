import { type Scope, type Session, scopes } from "@skillholm/core";
import { escapeMarkup } from "@skillholm/core/dialect";
import { z } from "zod";
import { createTool, type SkillTool } from "./tool.ts";

export const searchToolName = "search_skills";

/** The JSON of `skillholm search`. */
export interface SearchOutput {
  readonly query: string;
  readonly count: number;
  readonly truncated: boolean;
  readonly results: readonly SearchOutputHit[];
}

interface SearchOutputHit {
  readonly name: string;
  readonly description: string;
  readonly scope: Scope;
  readonly path: string;
  readonly score: number;
  readonly reason: string;
}

const inputSchema = z.object({
  query: z.string().min(1).max(10_000).describe("What the task is about, in words, or a skill's name"),
  limit: z.int().min(1).max(50).optional().describe("How many skills at most; default 8"),
  scope: z.enum(scopes).optional().describe("Only skills from there"),
});

export function createSearchTool(session: Session): SkillTool {
  return createTool({
    name: searchToolName,
    title: "Search skills",
    description: "Finds the skills that fit a task. Use it when no skill that you know of fits.",
    inputSchema,
    run: async ({ query, limit, scope }): Promise<SearchOutput> => {
      const found = session.search(query, { ...(limit && { limit }), ...(scope && { scope }) });
      const results = found.hits.map(({ skill: { name, description, scope, path }, score, reason }) => {
        return { name, description, scope, path, score, reason };
      });
      return { query, count: results.length, truncated: found.truncated, results };
    },
    render: renderResults,
  });
}

// No paths: a model activates by name.
function renderResults({ count, truncated, results }: SearchOutput): string {
  if (count === 0) return "No skill matches. Go on without one, or search with other words.";
  const more = truncated ? ["There are more: search with words that tell them apart."] : [];
  return ["<search_results>", ...results.map(renderHit), "</search_results>", ...more].join("\n");
}

function renderHit({ name, description }: SearchOutputHit): string {
  return `<skill><name>${escapeMarkup(name)}</name><description>${escapeMarkup(description)}</description></skill>`;
}
