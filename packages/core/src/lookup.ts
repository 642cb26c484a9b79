import type { Catalog, HiddenSkill, HiddenState } from "./catalog.ts";
import { compareText } from "./diagnostic.ts";
import { SkillError, type SkillErrorCode } from "./error.ts";
import { folderOf, nameKey } from "./name.ts";
import { matchesAny } from "./policy.ts";
import { type Scope, scopes } from "./root.ts";
import { mistakes } from "./search/similar.ts";
import type { Skill } from "./skill.ts";

/** A skill in whatever state, as a person may ask about it. */
export type Entry = { readonly state: "listed"; readonly skill: Skill } | HiddenSkill;

/** Who asks: people may hear of skills that a model may not. */
type Audience = "people" | "model";

/** Finds the one skill that `name`, `name@scope` or an absolute path means, in whatever state. */
export function lookupSkill(catalog: Catalog, reference: string, audience: Audience = "people"): Entry {
  const wanted = nameKey(reference);
  // A path is that path, whatever a skill may be named.
  const placed = absolute.test(reference) ? byPath([...catalog.skills.map(asEntry), ...catalog.hidden], reference) : [];
  if (placed.length > 0) return only(placed, reference);
  const listed = namesOf(catalog).get(wanted) ?? [];
  if (listed.length > 0) return only(listed.map(asEntry), reference);
  const entries = [...catalog.skills.map(asEntry), ...catalog.hidden];
  const ways = [byScope(entries, wanted), byPath(entries, reference), byName(entries, wanted)];
  for (const matches of ways) {
    if (matches.length > 0) return only(matches, reference);
  }
  throw notFound(catalog, reference, audience);
}

const absolute = /^(?:[\\/]|[A-Za-z]:[\\/])/;

// Made at the first question: a conversation asks often, and a catalog may have ten thousand.
const names = new WeakMap<Catalog, ReadonlyMap<string, readonly Skill[]>>();

function namesOf(catalog: Catalog): ReadonlyMap<string, readonly Skill[]> {
  const known = names.get(catalog) ?? Map.groupBy(catalog.skills, (skill) => claimOf(catalog, skill));
  names.set(catalog, known);
  return known;
}

/** What a listed skill answers to. */
function claimOf({ identity }: Catalog, { name, dir }: Skill): string {
  return identity === "folder" ? folderOf(dir) : nameKey(name);
}

const narrowed = new WeakMap<(skill: Skill) => boolean, { readonly from: Catalog; readonly catalog: Catalog }>();

/** A catalog in which only some skills exist. */
export function narrowCatalog(catalog: Catalog, exists: (skill: Skill) => boolean): Catalog {
  const known = narrowed.get(exists);
  if (known?.from === catalog) return known.catalog;
  const skills = catalog.skills.filter(exists);
  const hidden = catalog.hidden.filter(({ skill }) => skill !== undefined && exists(skill));
  narrowed.set(exists, { from: catalog, catalog: { ...catalog, skills, hidden } });
  return { ...catalog, skills, hidden };
}

const folders = new WeakMap<Catalog, ReadonlyMap<string, Skill>>();

/** The skill that a file of a skill's folder belongs to: the innermost one, in whatever state, and the path in it. */
export function findOwner(
  catalog: Catalog,
  skill: Skill,
  path: string,
): { readonly owner: Skill; readonly file: string } {
  let known = folders.get(catalog);
  if (known === undefined) {
    const all = [...catalog.skills, ...catalog.hidden.flatMap((hidden) => hidden.skill ?? [])];
    known = new Map(all.map((each) => [each.realDir.replaceAll("\\", "/"), each]));
    folders.set(catalog, known);
  }
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  for (let count = parts.length - 1; count > 0; count--) {
    const folder = [skill.realDir.replaceAll("\\", "/"), ...parts.slice(0, count)].join("/");
    const owner = known.get(folder);
    if (owner !== undefined) return { owner, file: parts.slice(count).join("/") };
  }
  return { owner: skill, file: parts.join("/") };
}

/** The same, for use: what is disabled, untrusted or invalid is refused with its reason. */
export function findSkill(catalog: Catalog, reference: string): Skill {
  const entry = lookupSkill(catalog, reference, "model");
  if (entry.state === "listed") return entry.skill;
  if (entry.state === "shadowed" && entry.skill !== undefined) return entry.skill;
  const code = refusals[entry.state];
  const message = `"${entry.name}" cannot be used: ${entry.reason}.`;
  throw new SkillError(code, message, { name: entry.name, path: entry.path, state: entry.state });
}

/** Whether a model may know of a skill: its author can keep it for people. */
export function isForModels(skill: Skill): boolean {
  return skill.fields.disableModelInvocation !== true;
}

const refusals: Readonly<Record<HiddenState, SkillErrorCode>> = {
  disabled: "skill-disabled",
  untrusted: "skill-untrusted",
  invalid: "skill-invalid",
  shadowed: "skill-invalid",
  "over-limit": "skill-over-limit",
};

function asEntry(skill: Skill): Entry {
  return { state: "listed", skill };
}

/** The names nearest to one that does not exist, best first. */
export function closestNames(names: Iterable<string>, wanted: string, count = 3): readonly string[] {
  const target = wanted.toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const name of new Set(names)) {
    const lower = name.toLowerCase();
    const shorter = Math.min(lower.length, target.length);
    const inside = shorter > 2 && (lower.includes(target) || target.includes(lower));
    const tolerance = shorter < 2 ? 0 : Math.min(8, Math.max(1, shorter / 2.5));
    // What is longer than a name is near to none.
    const comparable = lower.length <= 64 && target.length <= 64;
    const distance =
      lower === target ? 0 : inside ? 1 : comparable ? mistakes(lower, target, tolerance) : tolerance + 1;
    if (distance <= tolerance) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || compareText(a.name, b.name));
  return near.slice(0, count).map((each) => each.name);
}

function only(matches: readonly Entry[], reference: string): Entry {
  const usable = matches.filter((entry) => entry.state === "listed" || entry.state === "shadowed");
  const [first, ...more] = usable.length > 0 ? usable : matches;
  if (first !== undefined && more.length === 0) return first;
  const paths = (usable.length > 0 ? usable : matches).map(pathOf);
  const message = `"${reference}" means ${paths.length} skills. Give one of their paths: ${paths.join(", ")}.`;
  throw new SkillError("skill-ambiguous", message, { name: reference, paths });
}

function byScope(entries: readonly Entry[], wanted: string): readonly Entry[] {
  const at = wanted.lastIndexOf("@");
  const scope = wanted.slice(at + 1) as Scope;
  if (at <= 0 || !scopes.includes(scope)) return [];
  const name = wanted.slice(0, at);
  return entries.filter((entry) => nameKey(nameOf(entry)) === name && scopeOf(entry) === scope);
}

function byPath(entries: readonly Entry[], reference: string): readonly Entry[] {
  const path = reference.replace(/[\\/]+$/, "");
  return entries.filter((entry) => {
    const { skill } = entry;
    const own = entry.state === "listed" ? [] : [entry.path, entry.dir];
    return [...own, skill?.path, skill?.dir, skill?.realPath].includes(path);
  });
}

function byName(entries: readonly Entry[], wanted: string): readonly Entry[] {
  return entries.filter((entry) => nameKey(nameOf(entry)) === wanted);
}

function notFound(catalog: Catalog, reference: string, audience: Audience): SkillError {
  const forModel = audience === "model";
  const known = forModel ? catalog.skills.filter(isForModels) : [...catalog.skills, ...catalog.hidden];
  const [, name = reference] = /^(.+)@\w+$/.exec(reference) ?? [];
  const closest = closestNames(
    known.map((each) => each.name),
    name,
  );
  const otherwise = forModel ? "" : " See: skillholm list.";
  const hint = closest.length > 0 ? ` Closest: ${closest.join(", ")}.` : otherwise;
  return new SkillError("skill-not-found", `No skill "${reference}".${hint}`, { name: reference, closest });
}

function nameOf(entry: Entry): string {
  return entry.state === "listed" ? entry.skill.name : entry.name;
}

function scopeOf(entry: Entry): Scope {
  return entry.state === "listed" ? entry.skill.scope : entry.scope;
}

function pathOf(entry: Entry): string {
  return entry.state === "listed" ? entry.skill.path : entry.path;
}

/** Undefined where the skill cannot be had. */
export function tryFind(find: () => Skill): Skill | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof SkillError) return undefined;
    throw error;
  }
}

/** The test that some names and patterns mean; every skill passes where there are none. */
export function isOneOf(only: readonly string[] | ((skill: Skill) => boolean) | undefined): (skill: Skill) => boolean {
  if (only === undefined) return () => true;
  return typeof only === "function" ? only : ({ name }) => matchesAny(name, only);
}
