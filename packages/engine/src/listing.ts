import type { Diagnostic, Elsewhere, HiddenSkill, Skill } from "@skillholm/core";
import type { Engine } from "./engine-api.ts";
import { reasonOf } from "./reason.ts";

/** The JSON of `skillholm list`. Entries are made one by one as they are taken: there may be ten thousand. */
export interface Listing {
  readonly skills: Iterable<ListedSkill>;
  readonly hidden: Iterable<UnlistedSkill>;
  readonly diagnostics: readonly Diagnostic[];
  readonly truncated: boolean;
  readonly elsewhere: readonly Elsewhere[];
}

export interface ListedSkill extends Pick<Skill, "name" | "description" | "scope" | "path" | "dir"> {
  readonly enabled: true;
  /** False where its author keeps it for people. */
  readonly forModels: boolean;
  /** The server that it comes from, where that is not this machine. */
  readonly origin?: string;
}

export type UnlistedSkill = Pick<HiddenSkill, "name" | "scope" | "path" | "dir" | "state" | "reason" | "winner">;

/** Every skill, and every folder that is not listed with the reason; with what the profile's own listing says. */
export async function listSkills(engine: Engine): Promise<Listing> {
  const { catalog } = await engine.skills();
  const own = await engine.ownListing();
  const listing = {
    skills: each(catalog.skills, toListed),
    hidden: each(catalog.hidden, toUnlisted),
    diagnostics: [...engine.problems, ...catalog.diagnostics],
    truncated: catalog.truncated,
    elsewhere: await engine.elsewhere(),
  };
  if (own === undefined) return listing;
  const { skills: facts = [], ...rest } = own;
  return {
    ...listing,
    ...rest,
    skills: catalog.skills.map((skill, index) => ({ ...toListed(skill), ...facts[index] })),
  };
}

function each<T, U>(items: readonly T[], change: (item: T) => U): Iterable<U> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield change(item);
    },
  };
}

function toListed({ name, description, scope, path, dir, fields, root: { origin } }: Skill): ListedSkill {
  const forModels = fields.disableModelInvocation !== true;
  return { name, description, scope, path, dir, enabled: true, forModels, ...(origin !== undefined && { origin }) };
}

function toUnlisted(hidden: HiddenSkill): UnlistedSkill {
  const { name, scope, path, dir, state, winner } = hidden;
  return { name, scope, path, dir, state, reason: reasonOf(hidden), ...(winner === undefined ? {} : { winner }) };
}
