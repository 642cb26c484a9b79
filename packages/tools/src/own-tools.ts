import { escapeWords } from "@skillholm/core/dialect";
import { type OwnTool, type Session, SkillError } from "@skillholm/core/portable";
import * as z from "zod";
import type { SkillTool } from "./skill-tool.ts";
import { createTool } from "./tool.ts";

/** The tools that the active skills bring themselves; a name that is taken stays whose it was. */
export function createOwnTools(session: Session, before: readonly SkillTool[]): readonly SkillTool[] {
  const taken = new Set(before.map(({ name }) => name));
  return session.ownTools().flatMap((tool) => {
    if (taken.has(tool.name)) return [];
    taken.add(tool.name);
    return toTool(tool);
  });
}

function toTool(own: OwnTool): SkillTool {
  const tool = createTool({
    name: own.name,
    title: `${own.name} of ${own.skill.name}`,
    description: escapeWords(own.description),
    inputSchema: readSchema(own),
    run: async (input) => {
      const { content, structured } = await own.call(input);
      return { name: own.skill.name, tool: own.name, content, ...(structured && { structured }) };
    },
    render: ({ content }) => content,
  });
  return Object.defineProperty(tool, "inputSchema", { value: own.inputSchema });
}

/** Checks what a model gives; what cannot be understood is left to the tool itself, which runs in the sandbox. */
function readSchema({ inputSchema }: OwnTool): z.ZodType<unknown> {
  try {
    return z.fromJSONSchema(withoutPatterns(inputSchema) as z.core.JSONSchema.JSONSchema);
  } catch (error) {
    if (error instanceof SkillError) throw error;
    return z.looseObject({});
  }
}

/** A stranger's expression could hang whoever uses it. */
function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !["pattern", "patternProperties", "format"].includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutPatterns(each)]));
}
