import { compareDiagnostics, compareText, type Diagnostic } from "./diagnostic.ts";
import type { Discovery } from "./discover.ts";
import type { Limits } from "./limits.ts";
import { folderOf, nameKey } from "./name.ts";
import { isDisabled, type Policy } from "./policy.ts";
import type { Parsed } from "./report.ts";
import { type Root, type Scope, scopes } from "./root.ts";
import type { Skill } from "./skill.ts";
import type { SkillRef } from "./source.ts";

/** Why a folder with a `SKILL.md` is not listed. */
export type HiddenState = "shadowed" | "disabled" | "untrusted" | "invalid" | "over-limit";

/** A folder with a `SKILL.md` that is not listed, and the reason. */
export interface HiddenSkill extends SkillRef {
  readonly name: string;
  readonly scope: Scope;
  readonly state: HiddenState;
  readonly reason: string;
  /** Path of the skill that answers to the name instead. */
  readonly winner?: string;
  /** Present unless the skill could not be read. */
  readonly skill?: Skill;
}

/** How many skills a root holds, in whatever state. */
export interface RootReport {
  readonly root: Root;
  readonly exists: boolean;
  readonly skills: number;
}

/** An immutable picture of all skills: each `SKILL.md` that the walk reached is in exactly one of the two lists. */
export interface Catalog {
  readonly skills: readonly Skill[];
  readonly hidden: readonly HiddenSkill[];
  readonly diagnostics: readonly Diagnostic[];
  readonly roots: readonly RootReport[];
  /** A limit left something out. */
  readonly truncated: boolean;
  /** What skills are called by. */
  readonly identity: Policy["identity"];
}

export interface CatalogInput {
  readonly discovery: Discovery;
  readonly parsed: readonly Parsed[];
  readonly policy: Policy;
  readonly limits: Limits;
  /** Whether two skills of one name have the same text, and are no conflict; absent when no two share a name. */
  readonly isSame: ((a: Skill, b: Skill) => boolean) | undefined;
  /** Skills that wait for trust although their root does not, and why. */
  readonly barred: ReadonlyMap<Skill, string>;
}

/** Judges every parsed candidate: listed, or hidden with a reason. */
export function buildCatalog(input: CatalogInput): Catalog {
  const hidden: HiddenSkill[] = [];
  const diagnostics: Diagnostic[] = [...input.discovery.diagnostics];
  for (const reject of input.discovery.rejects) hidden.push(hide(reject.folder, reject, "invalid", reject.reason));
  const usable: Skill[] = [];
  for (const parsed of input.parsed) {
    for (const diagnostic of parsed.diagnostics) diagnostics.push(diagnostic);
    const barred = judge(parsed, input);
    if (barred !== undefined) hidden.push(barred);
    else if (parsed.skill !== undefined) usable.push(parsed.skill);
  }
  if (input.policy.missingRoots === "warn") reportMissing(input.discovery, diagnostics);
  const named = settleNames(usable, input, hidden, diagnostics);
  const listed = cutToLimit(named, input.limits.skills, hidden, diagnostics);
  return Object.freeze({
    skills: Object.freeze(listed),
    hidden: Object.freeze(hidden.sort((a, b) => compareText(a.path, b.path))),
    diagnostics: Object.freeze(diagnostics.sort(compareDiagnostics)),
    roots: Object.freeze(countByRoot(input.discovery, input.parsed)),
    identity: input.policy.identity,
    truncated: listed.length < named.length || input.discovery.scans.some((scan) => scan.truncated),
  });
}

function hide(name: string, place: SkillRef, state: HiddenState, reason: string, skill?: Skill): HiddenSkill {
  const { root, path, dir, realPath, realDir } = place;
  const facts = { name, scope: root.scope, path, dir, realPath, realDir, root, state, reason };
  return skill === undefined ? facts : { ...facts, skill };
}

function reportMissing({ scans }: Discovery, diagnostics: Diagnostic[]): void {
  for (const { root, exists } of scans) {
    if (exists) continue;
    const message = "there is no such folder; it is skipped";
    diagnostics.push({ code: "root-missing", severity: "warning", path: root.path, message });
  }
}

function judge(parsed: Parsed, { policy, barred }: CatalogInput): HiddenSkill | undefined {
  const { name, root, skill } = parsed;
  if (skill === undefined) return hide(name, parsed, "invalid", parsed.reason ?? "it could not be read");
  if (policy.rootSkill === "ignore" && parsed.dir === root.path) {
    return hide(name, parsed, "invalid", "it lies right in a root; a skill needs a folder of its own", skill);
  }
  if (!root.trusted) {
    return hide(name, parsed, "untrusted", `${root.project ?? root.path} is not trusted yet`, skill);
  }
  const reason = barred.get(skill);
  if (reason !== undefined) return hide(name, parsed, "untrusted", reason, skill);
  if (isDisabled(name, policy)) return hide(name, parsed, "disabled", "it is switched off", skill);
  return undefined;
}

function settleNames(
  skills: readonly Skill[],
  input: CatalogInput,
  hidden: HiddenSkill[],
  diagnostics: Diagnostic[],
): readonly Skill[] {
  const { isSame } = input;
  if (isSame === undefined || input.policy.collisions === "keep-all") return skills;
  const losers = new Set<Skill>();
  for (const group of groupTwins(skills, input.policy)) {
    const winner = chooseWinner(group, input.policy.collisions);
    const perScope = Map.groupBy(group, (skill) => skill.scope);
    for (const loser of group) {
      if (loser === winner) continue;
      losers.add(loser);
      const same = isSame(winner, loser);
      const claim = input.policy.identity === "folder" ? folderOf(loser.dir) : loser.name;
      const reason = same ? `same text as ${winner.path}` : `${winner.path} answers to "${claim}"`;
      hidden.push({ ...hide(loser.name, loser, "shadowed", reason, loser), winner: winner.path });
      if (!same) diagnostics.push(collision(loser, winner, perScope.get(loser.scope)?.length === 1));
    }
  }
  return skills.filter((skill) => !losers.has(skill));
}

/** Skills that share a name, in the order in which they were found; names that look the same are the same. */
export function groupTwins(
  skills: readonly Skill[],
  { identity }: Pick<Policy, "identity">,
): readonly (readonly Skill[])[] {
  const first = new Map<string, Skill>();
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) {
    const key = identity === "folder" ? folderOf(skill.dir) : nameKey(skill.name);
    const other = first.get(key);
    const group = groups.get(key);
    if (other === undefined) first.set(key, skill);
    else if (group === undefined) groups.set(key, [other, skill]);
    else group.push(skill);
  }
  return [...groups.values()];
}

function chooseWinner(group: readonly Skill[], collisions: Policy["collisions"]): Skill {
  const ranked = collisions === "last" ? group.toReversed() : [...group];
  if (collisions === "scope") ranked.sort((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope));
  // Whatever the policy: what another machine calls its skills must not replace one of this machine's.
  ranked.sort((a, b) => Number(a.root.origin !== undefined) - Number(b.root.origin !== undefined));
  return ranked[0] as Skill;
}

function collision(loser: Skill, winner: Skill, alone: boolean): Diagnostic {
  const way = alone ? `use ${loser.name}@${loser.scope}` : "use its path";
  const message = `"${loser.name}" is taken by ${winner.path}; ${way}, or rename one`;
  return { code: "name-collision", severity: "warning", path: loser.path, message };
}

function cutToLimit(
  skills: readonly Skill[],
  limit: number,
  hidden: HiddenSkill[],
  diagnostics: Diagnostic[],
): Skill[] {
  for (const skill of skills.slice(limit)) {
    hidden.push(hide(skill.name, skill, "over-limit", `only the first ${limit} skills are listed`, skill));
  }
  const first = skills[limit];
  if (first !== undefined) {
    const message = `${skills.length - limit} skills are over the limit of ${limit}`;
    diagnostics.push({ code: "skill-limit", severity: "warning", path: first.path, message });
  }
  return skills.slice(0, limit);
}

function countByRoot(discovery: Discovery, parsed: readonly Parsed[]): RootReport[] {
  const counts = new Map<Root, number>();
  for (const { root } of [...parsed, ...discovery.rejects]) counts.set(root, (counts.get(root) ?? 0) + 1);
  return discovery.scans.map(({ root, exists }) => ({ root, exists, skills: counts.get(root) ?? 0 }));
}
