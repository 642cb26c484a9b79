import { dropHidden } from "@skillholm/core/dialect";
import type { Catalog, Session, Skill, SkillError } from "@skillholm/core/portable";
import { createTool, type SkillTool } from "@skillholm/tools";
import * as z from "zod";
import { listEntries } from "./list-entries.ts";
import { remcochatProfile } from "./policies.ts";
import type { Profile } from "./profile.ts";

const activate = "skills.activate";
const readResource = "skills.readResource";

const rules = [
  "Skills are available. Use one when it is relevant to the task.",
  "- Do not ask for the body of a skill unless you need it.",
  `- Activate a skill by calling ${activate} (skillsActivate where names have no dots) before you use its instructions.`,
  `- Load other files of a skill only with ${readResource} (skillsReadResource), when its instructions need them.`,
  `- A message that begins with /skill-name invokes that skill explicitly: call ${activate} for it before you respond. Without tools, its content is put into this prompt instead.`,
].join("\n");

/** Where entries are data in JSON, nothing in them can end it. */
function renderBlock(entries: readonly string[], missing: number, activated: readonly string[]): string {
  const more = missing === 0 ? [] : [`${missing} more skills are not listed for lack of room.`];
  const active = activated.length === 0 ? [] : [JSON.stringify({ activated_skill_names: activated })];
  return [rules, ...more, "", `{"available_skills":[${entries.join(",")}]}`, ...active].join("\n");
}

/** A skill's frontmatter with the fields that this system knows. */
function frontmatterOf({ name, description, fields, frontmatter }: Skill): object {
  const { license, compatibility, metadata } = fields;
  const tools = frontmatter["allowed-tools"];
  return {
    name,
    description,
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(metadata !== undefined && { metadata }),
    ...(tools !== undefined && { "allowed-tools": typeof tools === "string" ? tools : fields.allowedTools?.join(" ") }),
  };
}

function notice(what: "SKILL.md" | "resource", removed = 0): string {
  return removed === 0 ? "" : `\n\n[REMCOCHAT_SKILLS_TRUNCATED: ${what}; ${removed} bytes removed]`;
}

function refuse(error: SkillError) {
  const message = error.code === "resource-binary" ? `binary not supported: ${error.message}` : error.message;
  return { text: JSON.stringify({ error: message }), structured: { error: message, code: error.code } };
}

const name = z.string().min(1).max(200).describe("The skill's name");

function createActivateTool(session: Session): SkillTool {
  return createTool({
    name: activate,
    title: "Activate a skill",
    description: "Loads a skill's instructions. Call it before using them.",
    inputSchema: z.object({ name }),
    run: async ({ name }) => {
      const { skill, instructions, removed } = await session.activate(name);
      return { name: skill.name, frontmatter: frontmatterOf(skill), body: instructions + notice("SKILL.md", removed) };
    },
    render: (output) => JSON.stringify(output),
    refuse,
  });
}

function createReadTool(session: Session): SkillTool {
  return createTool({
    name: readResource,
    title: "Read a skill's file",
    description: "Reads one file of a skill, when its instructions need it.",
    inputSchema: z.object({ name, path: z.string().min(1).max(4096).describe("Relative to the skill's folder") }),
    run: async ({ name, path: asked }) => {
      const { skill, path, content, removed } = await session.read(name, asked);
      return { name: skill.name, path, content: content + notice("resource", removed) };
    },
    render: (output) => JSON.stringify(output),
    refuse,
  });
}

/** The listing that an administrator sees, paths included. */
function describeCatalog({ skills, hidden, diagnostics, roots }: Catalog): object {
  const losers = Map.groupBy(
    hidden.filter(({ state }) => state === "shadowed"),
    ({ winner = "" }) => winner,
  );
  return {
    scanRoots: roots.map(({ root }) => root.path),
    skills: skills.map((skill) => {
      const { name, description, dir: skillDir, path: skillMdPath, root, fields, frontmatter } = skill;
      const { license, compatibility, metadata } = fields;
      const known = Object.entries({ license, compatibility, metadata }).filter(([, value]) => value !== undefined);
      const tools = frontmatter["allowed-tools"];
      const allowed = tools === undefined ? {} : { allowedTools: fields.allowedTools?.join(" ") };
      const facts = { name, description, ...Object.fromEntries(known), ...allowed };
      return { ...facts, skillDir, skillMdPath, sourceDir: root.path };
    }),
    invalid: hidden
      .filter(({ state }) => state === "invalid")
      .map(({ dir: skillDir, path: skillMdPath, reason: error }) => ({ skillDir, skillMdPath, error })),
    collisions: [...losers].map(([winner, all]) => {
      return { name: all[0]?.name ?? "", winner, losers: all.map(({ path }) => path) };
    }),
    warnings: diagnostics
      .filter(({ severity }) => severity === "warning")
      .map(({ path, message }) => ({ path, message })),
  };
}

/** RemcoChat: off until somebody switches it on, JSON in the prompt, two tools with dots in their names. */
export const remcochat: Profile = {
  ...remcochatProfile,
  renderCatalog: (view, limits) =>
    listEntries(view, limits, {
      renderEntry: ({ name, description }) => JSON.stringify({ name, description: dropHidden(description) }),
      renderFrame: (entries, { shown, total }) => renderBlock(entries, total - shown, view.activated ?? []),
    }),
  createTools: (session) => [createActivateTool(session), createReadTool(session)],
  loadCall: (name) => ({ name: activate, input: { name } }),
  readCall: (name, path) => ({ name: readResource, input: { name, path } }),
  describeCatalog,
};
