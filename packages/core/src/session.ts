import { type Activation, activateSkill } from "./activate.ts";
import { SkillError } from "./error.ts";
import { isForModels } from "./lookup.ts";
import { checkPermission, type Permissions } from "./permissions.ts";
import type { CatalogView } from "./prompt.ts";
import { type BinaryPolicy, type LineRange, type Resource, readResource } from "./resources.ts";
import type { SearchOptions, SearchResult } from "./search/search.ts";
import type { Skill } from "./skill.ts";
import type { Skills } from "./skills.ts";

/** What one conversation may do with the skills: the side that a model is on. */
export interface Session {
  /** The skills that a model may know of, as they are now. */
  visible(): readonly Skill[];
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** The skills for a catalog, and those that a task is for. */
  view(task?: string): Promise<CatalogView>;
  /** Throws a `SkillError` that says why not. */
  activate(reference: string, given?: string): Promise<Activation>;
  /** One file of a skill; throws where it may not be read. */
  read(reference: string, path: string, lines?: LineRange): Promise<Resource & { readonly skill: Skill }>;
}

export interface SessionOptions {
  /** What becomes of files that are no text; they are refused unless it says otherwise. */
  readonly binary?: BinaryPolicy;
  /** What the instructions of a skill may cost; the rest is cut with a notice. */
  readonly bodyTokens?: number;
  /** Everything is allowed unless these say otherwise. */
  readonly permissions?: Permissions;
}

/** The operations that rules are about. */
export const operations = { activate: "activate_skill", read: "read_skill_resource" } as const;

export function createSession(skills: Skills, options: SessionOptions = {}): Session {
  const { permissions = { rules: [] }, bodyTokens, ...reading } = options;
  const visible = () => skills.catalog.skills.filter(isForModels);
  const search: Session["search"] = (query, options) => skills.search(query, { ...options, accept: isForModels });
  const find = (reference: string): Skill => {
    const skill = skills.find(reference);
    if (isForModels(skill)) return skill;
    throw new SkillError("permission-denied", `"${skill.name}" says that only people may activate it.`);
  };
  return {
    visible,
    search,
    view: async (task) => {
      if (task === undefined) return { skills: visible() };
      const { hits } = await search(task);
      return { skills: visible(), relevant: hits.map(({ skill }) => skill) };
    },
    activate: async (reference, given) => {
      const skill = find(reference);
      await checkPermission(permissions, { tool: operations.activate, skill });
      return activateSkill(skills, skill, given, bodyTokens);
    },
    read: async (reference, path, lines) => {
      const skill = find(reference);
      await checkPermission(permissions, { tool: operations.read, skill });
      return { skill, ...(await readResource(skills, skill, path, { lines, ...reading })) };
    },
  };
}
