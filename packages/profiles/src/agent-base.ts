import { escapeMarkup } from "@skillholm/core/dialect";
import type { Activation, Session } from "@skillholm/core/portable";
import { activateToolName, createOwnTools, createTool, readToolName, type SkillTool } from "@skillholm/tools";
import * as z from "zod";
import { createScriptTools } from "./agent-base-scripts.ts";
import { listEntries } from "./list-entries.ts";
import { agentBaseProfile } from "./policies.ts";
import type { Profile } from "./profile.ts";

function renderBlock(
  entries: readonly string[],
  { shown, total }: { readonly shown: number; readonly total: number },
): string {
  const missing = `${total - shown} of ${total} skills are not shown: there is no room for them.`;
  return ["<available_skills>", ...entries, "</available_skills>", ...(shown < total ? [missing] : [])].join("\n");
}

/** Tier 2: the file, and a word where a limit cut it. */
export function renderTierTwo({ file, removed }: Activation): string {
  return removed === 0 ? file : `${file.trimEnd()}\n\n[SKILL.md goes on: it is too long, and was cut here.]`;
}

const name = z.string().min(1).max(200).describe("The skill's name");

function createTierTwoTool(session: Session): SkillTool {
  return createTool({
    name: activateToolName,
    title: "Activate a skill",
    description: "Gives the whole SKILL.md of a skill. Call it before doing a task that the skill is for.",
    inputSchema: z.object({ name }),
    run: async ({ name }) => {
      const activation = await session.activate(name);
      const content = renderTierTwo(activation);
      await session.keep(activation, content);
      return { content };
    },
    render: ({ content }) => content,
  });
}

function createTierThreeTool(session: Session): SkillTool {
  return createTool({
    name: readToolName,
    title: "Read a skill's file",
    description: "Gives one file from a skill's scripts, references or assets.",
    inputSchema: z.object({ name, path: z.string().min(1).max(4096).describe("As references/guide.md") }),
    run: async ({ name, path }) => ({ content: (await session.read(name, path)).content }),
    render: ({ content }) => content,
  });
}

/** agent-base: a strict manifest, three tiers, triggers, scripts. */
export const agentBase: Profile = {
  ...agentBaseProfile,
  renderCatalog: (view, limits) =>
    listEntries(view, limits, {
      renderEntry: ({ name, description, path }) =>
        [
          "<skill>",
          `<name>${escapeMarkup(name)}</name>`,
          `<description>${escapeMarkup(description).replace(/\s+/g, " ")}</description>`,
          `<location>${escapeMarkup(path)}</location>`,
          "</skill>",
        ].join("\n"),
      renderFrame: renderBlock,
    }),
  createTools: (session) => {
    const all = [createTierTwoTool(session), createTierThreeTool(session), ...createScriptTools(session)];
    return [...all, ...createOwnTools(session, all)];
  },
};
