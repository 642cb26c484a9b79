import { defuseMarkup, escapeMarkup } from "@skillholm/core/dialect";
import { operations, parseLines, type Resource, type Session } from "@skillholm/core/portable";
import * as z from "zod";
import type { SkillTool } from "./skill-tool.ts";
import { createTool, refuseWithSearch } from "./tool.ts";

export const readToolName = operations.read;

/** The JSON of `skillholm read`. */
export interface ResourceOutput extends Resource {
  readonly name: string;
}

const inputSchema = z.object({
  name: z.string().min(1).max(4096).describe("The skill's name"),
  path: z.string().min(1).max(4096).describe("A file of the skill, relative to its folder, as references/guide.md"),
  lines: z.string().max(40).optional().describe("Only these lines, as 10-40"),
});

export function createReadTool(session: Session): SkillTool {
  return createTool({
    name: readToolName,
    title: "Read a skill's file",
    description: "Reads one file of a skill. Call it when the skill's instructions say to read that file.",
    inputSchema,
    run: async ({ name, path, lines }): Promise<ResourceOutput> => {
      const { skill, ...resource } = await session.read(
        name,
        path,
        lines === undefined ? undefined : parseLines(lines),
      );
      return { name: skill.name, ...resource };
    },
    render: renderResource,
    refuse: refuseWithSearch,
  });
}

function renderResource({ name, path, content, encoding, truncated, type }: ResourceOutput): string {
  const kind = encoding === "base64" ? ' encoding="base64"' : "";
  const cut = truncated && type === undefined ? "\n[The file goes on: read it by lines.]" : "";
  const body = encoding === "base64" ? content : defuseMarkup(content);
  return `<skill_resource name="${escapeMarkup(name)}" path="${escapeMarkup(path)}"${kind}>\n${body}${cut}\n</skill_resource>`;
}
