import { type LoadedSkills, loadSkills, type SkillsOptions } from "./load.ts";
import { createSession, type Session, type SessionOptions } from "./session.ts";

/** All skills of some roots, kept, and conversations over them. */
export interface Skills extends LoadedSkills {
  /** One conversation's side of the skills, with a ledger of what it did. */
  session(options?: SessionOptions): Session;
}

/** Loads skills through any sources; touches no disk by itself. */
export async function createSkills(options: SkillsOptions): Promise<Skills> {
  const loaded = await loadSkills(options);
  return {
    ...loaded,
    get catalog() {
      return loaded.catalog;
    },
    session: (chosen) => createSession(loaded, chosen),
  };
}
