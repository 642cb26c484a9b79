import { type Activation, activateSkill } from "./activate.ts";
import { SkillError } from "./error.ts";
import { isForModels } from "./lookup.ts";
import type { CatalogView } from "./prompt.ts";
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
}

export function createSession(skills: Skills): Session {
  const visible = () => skills.catalog.skills.filter(isForModels);
  const search: Session["search"] = (query, options) => skills.search(query, { ...options, accept: isForModels });
  return {
    visible,
    search,
    view: async (task) => {
      if (task === undefined) return { skills: visible() };
      const { hits } = await search(task);
      return { skills: visible(), relevant: hits.map(({ skill }) => skill) };
    },
    activate: async (reference, given) => {
      const skill = skills.find(reference);
      if (!isForModels(skill)) {
        throw new SkillError("permission-denied", `"${skill.name}" says that only people may activate it.`);
      }
      return activateSkill(skills, skill, given);
    },
  };
}
