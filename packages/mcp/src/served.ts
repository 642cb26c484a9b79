import type { Catalog, Session, Skill } from "@skillholm/core/portable";
import { nameProblem } from "./entry.ts";
import { compareKeys } from "./page.ts";

/** The skills that have an address, and those that tools alone can give. */
export interface ServedSkills {
  /** In the order of their addresses. */
  readonly ordered: readonly Skill[];
  readonly byName: ReadonlyMap<string, Skill>;
  readonly unserved: readonly { readonly skill: Skill; readonly reason: string }[];
}

// By catalog: the conversations of this server all see the same.
const known = new WeakMap<Catalog, ServedSkills>();

/** What can be known without reading a file; models see no more of it than their tools show. */
export function servedSkills(catalog: Catalog, session: Session): ServedSkills {
  const served = known.get(catalog) ?? sort(session.visible());
  known.set(catalog, served);
  return served;
}

function sort(skills: readonly Skill[]): ServedSkills {
  const byName = new Map<string, Skill>();
  const unserved: { readonly skill: Skill; readonly reason: string }[] = [];
  for (const skill of skills) {
    const twin = byName.get(skill.name);
    const reason = twin === undefined ? nameProblem(skill.name) : `${twin.path} has the same name`;
    if (reason === undefined) byName.set(skill.name, skill);
    else unserved.push({ skill, reason });
  }
  const ordered = [...byName.values()].sort((a, b) => compareKeys(a.name, b.name));
  return { ordered, byName, unserved };
}
