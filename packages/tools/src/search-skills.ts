import { escapeMarkup } from "@skillholm/core/dialect";
import { describeSearch, operations, type SearchOutput, type Session, scopes } from "@skillholm/core/portable";
import * as z from "zod";
import type { SkillTool } from "./skill-tool.ts";
import { createTool } from "./tool.ts";

export const searchToolName = operations.search;

const inputSchema = z.object({
  query: z.string().min(1).max(10_000).describe("What the task is about, in words, or a skill's name"),
  limit: z.int().min(1).optional().describe("How many skills; default 8, at most 50"),
  scope: z.enum(scopes).optional().describe("Only skills from there"),
});

export function createSearchTool(session: Session): SkillTool {
  return createTool({
    name: searchToolName,
    title: "Search skills",
    description: "Finds the skills that fit a task. Use it when no skill that you know of fits.",
    inputSchema,
    run: async ({ query, limit, scope }): Promise<SearchOutput> => {
      return describeSearch(await session.search(query, { ...(limit && { limit }), ...(scope && { scope }) }));
    },
    render: renderResults,
  });
}

// No paths: a model activates by name.
function renderResults({ count, truncated, confident, results }: SearchOutput): string {
  if (count === 0) return "No skill matches. Go on without one, or search with other words.";
  const doubt = confident
    ? []
    : ["No skill clearly matches. These share words with the query; use one only if it fits:"];
  const more = truncated ? ["There are more: search with words that tell them apart."] : [];
  return [...doubt, "<search_results>", ...results.map(renderHit), "</search_results>", ...more].join("\n");
}

function renderHit({ name, description }: SearchOutput["results"][number]): string {
  return `<skill><name>${escapeMarkup(name)}</name><description>${escapeMarkup(description)}</description></skill>`;
}
