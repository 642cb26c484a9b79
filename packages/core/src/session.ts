import { type Activation, activateSkill } from "./activate.ts";
import { SkillError } from "./error.ts";
import { isForModels } from "./lookup.ts";
import type { SearchOptions, SearchResult } from "./search/search.ts";
import type { Skill } from "./skill.ts";
import type { Skills } from "./skills.ts";

/** What one conversation may do with the skills: the side that a model is on. */
export interface Session {
  /** The skills that a model may know of, as they are now. */
  visible(): readonly Skill[];
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Throws a `SkillError` that says why not. */
  activate(reference: string, given?: string): Promise<Activation>;
}

export function createSession(skills: Skills): Session {
  const visible = () => skills.catalog.skills.filter(isForModels);
  return {
    visible,
    search: (query, options) => skills.search(query, { ...options, accept: isForModels }),
    activate: async (reference, given) => {
      const skill = skills.find(reference);
      if (!isForModels(skill)) {
        throw new SkillError("permission-denied", `"${skill.name}" says that only people may activate it.`);
      }
      return activateSkill(skills, skill, given);
    },
  };
}
