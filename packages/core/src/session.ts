import { type Activation, activateSkill } from "./activate.ts";
import type { CatalogView } from "./choose-entries.ts";
import { skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import type { LoadedSkills } from "./load.ts";
import { isForModels } from "./lookup.ts";
import { checkPermission, type Permissions } from "./permissions.ts";
import { type BinaryPolicy, type LineRange, type Resource, readResource, resourcePath } from "./resources.ts";
import type { SearchOptions, SearchResult } from "./search/search.ts";
import type { Skill } from "./skill.ts";

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
  /** `people` may use what an author keeps from models. */
  readonly audience?: "models" | "people";
}

/** The operations that rules are about. */
export const operations = { search: "search_skills", activate: "activate_skill", read: "read_skill_resource" } as const;

export function createSession(skills: LoadedSkills, options: SessionOptions = {}): Session {
  const { permissions = { rules: [] }, bodyTokens, audience = "models", ...reading } = options;
  const mayKnow = (skill: Skill) => audience === "people" || isForModels(skill);
  const visible = () => skills.catalog.skills.filter(mayKnow);
  const search = (query: string, options?: SearchOptions) => skills.search(query, { ...options, accept: mayKnow });
  const find = async (reference: string, ...tools: readonly string[]): Promise<Skill> => {
    const skill = skills.find(reference);
    if (!mayKnow(skill)) {
      throw new SkillError("permission-denied", `"${skill.name}" says that only people may activate it.`);
    }
    for (const tool of tools) await checkPermission(permissions, { tool, skill });
    return skill;
  };
  return {
    visible,
    search: async (query, options) => {
      await checkPermission(permissions, { tool: operations.search });
      return search(query, options);
    },
    view: async (task) => {
      const known = visible();
      if (task === undefined) return { skills: known };
      const { hits } = await search(task);
      return { skills: known, relevant: hits.map(({ skill }) => skill) };
    },
    activate: async (reference, given) => {
      return activateSkill(skills, await find(reference, operations.activate), given, bodyTokens);
    },
    read: async (reference, path, lines) => {
      // The instructions by another door are still the instructions.
      const isBody = resourcePath(path).toLowerCase() === skillFile.toLowerCase();
      const skill = await find(reference, operations.read, ...(isBody ? [operations.activate] : []));
      return { skill, ...(await readResource(skills, skill, path, { lines, ...reading })) };
    },
  };
}
