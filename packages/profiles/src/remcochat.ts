import { dropHidden } from "@skillholm/core/dialect";
import { type Catalog, type Session, type Skill, SkillError } from "@skillholm/core/portable";
import { createTool, type SkillTool } from "@skillholm/tools";
import * as z from "zod";
import { listEntries } from "./list-entries.ts";
import { remcochatProfile } from "./policies.ts";
import { nowhere, type Profile, type ToolHost } from "./profile.ts";

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

/** The optional fields that this system knows, where a skill has them. */
function optionalFields({ fields: { license, compatibility, metadata } }: Skill): object {
  const known = Object.entries({ license, compatibility, metadata });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

/** As its author wrote them; a list is written with spaces. */
function allowedTools({ frontmatter, fields }: Skill): string | undefined {
  const tools = frontmatter["allowed-tools"];
  return tools === undefined || typeof tools === "string" ? tools : fields.allowedTools?.join(" ");
}

function frontmatterOf(skill: Skill): object {
  const { name, description } = skill;
  const tools = allowedTools(skill);
  return { name, description, ...optionalFields(skill), ...(tools !== undefined && { "allowed-tools": tools }) };
}

function notice(what: "SKILL.md" | "resource", removed = 0): string {
  return removed === 0 ? "" : `\n\n[REMCOCHAT_SKILLS_TRUNCATED: ${what}; ${removed} bytes removed]`;
}

// Their reasons tell of files, which are no business of a model's.
const unlisted: readonly string[] = ["skill-invalid", "skill-ambiguous", "skill-untrusted", "skill-over-limit"];

/** What is not in the registry is unknown, whatever there is on disk. */
function refuse({ code, message }: SkillError, input: unknown) {
  if (unlisted.includes(code)) return refuse(unknownSkill(String(Object(input).name)), input);
  const error = code === "resource-binary" ? `binary not supported: ${message}` : message;
  return { text: JSON.stringify({ error }), structured: { error, code } };
}

function unknownSkill(name: string): SkillError {
  return new SkillError("skill-not-found", `No skill "${name}".`, { name });
}

/** A model knows names only; people may mean by path or scope what lost its name. */
function checkName(name: string, { forPeople }: ToolHost): void {
  if (!forPeople && !/^[a-z0-9-]+$/.test(name)) throw unknownSkill(name);
}

const name = z.string().min(1).max(200).describe("The skill's name");

function createActivateTool(session: Session, host: ToolHost): SkillTool {
  return createTool({
    name: activate,
    title: "Activate a skill",
    description: "Loads a skill's instructions. Call it before using them.",
    inputSchema: z.object({ name }),
    run: async ({ name }) => {
      checkName(name, host);
      const { skill, instructions, removed } = await session.activate(name);
      return { name: skill.name, frontmatter: frontmatterOf(skill), body: instructions + notice("SKILL.md", removed) };
    },
    render: (output) => JSON.stringify(output),
    refuse,
  });
}

function createReadTool(session: Session, host: ToolHost): SkillTool {
  return createTool({
    name: readResource,
    title: "Read a skill's file",
    description: "Reads one file of a skill, when its instructions need it.",
    inputSchema: z.object({ name, path: z.string().min(1).max(4096).describe("Relative to the skill's folder") }),
    run: async ({ name, path: asked }) => {
      checkName(name, host);
      const { skill, path, content, removed, encoding, type } = await session.read(name, asked);
      const facts = { name: skill.name, path, content: content + notice("resource", removed) };
      return encoding === "base64" ? { ...facts, encoding, type } : facts;
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
      const { name, description, dir: skillDir, path: skillMdPath, root } = skill;
      const tools = allowedTools(skill);
      const facts = {
        name,
        description,
        ...optionalFields(skill),
        ...(tools !== undefined && { allowedTools: tools }),
      };
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
  // While it is off, a model does not hear of it.
  createTools: (session, host = nowhere) =>
    session.policy.enabled || host.forPeople ? [createActivateTool(session, host), createReadTool(session, host)] : [],
  cutNotice: (removed) => notice("SKILL.md", removed),
  loadCall: (name) => ({ name: activate, input: { name } }),
  readCall: (name, path) => ({ name: readResource, input: { name, path } }),
  describeCatalog,
};
