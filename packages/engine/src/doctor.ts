import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  closestNames,
  type Diagnostic,
  describeHiddenText,
  type Elsewhere,
  findHiddenText,
  type HiddenSkill,
  type HiddenState,
  type SandboxName,
  type Scope,
  type Skill,
  SkillError,
  type SkillRef,
  type Skills,
} from "@skillholm/core";
import type { Engine } from "./engine-api.ts";
import { shellWord, trustCommand } from "./reason.ts";

/** How one skill stands, and what to do about it. */
export interface SkillFinding {
  readonly name: string;
  /** Null for a name that no root holds. */
  readonly path: string | null;
  readonly scope?: Scope;
  readonly state: HiddenState | "listed" | "missing";
  /** Empty where there is nothing to say. */
  readonly reason: string;
  readonly fix: string;
  /** What readers of its file do not see. */
  readonly hiddenText?: readonly string[];
}

/** The state of everything that skills depend on. */
export interface Diagnosis {
  readonly roots: readonly {
    readonly path: string;
    readonly scope: Scope;
    readonly exists: boolean;
    readonly trusted: boolean;
    readonly skills: number;
    /** Why nothing was looked for in it. */
    readonly problem?: string;
  }[];
  readonly skills: readonly SkillFinding[];
  /** Whether what was asked for answers, by the name that was given. */
  readonly usable: boolean;
  /** Names that several skills claim, the winner first. */
  readonly duplicates: readonly { readonly name: string; readonly paths: readonly string[] }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly environment: Environment;
}

interface Environment {
  readonly node: string;
  /** What holds a script in. */
  readonly sandbox: SandboxName;
  /** Why no script can run here, and what to do. */
  readonly sandboxProblem?: string;
  /** Whether scripts run without a sandbox, since somebody said so. */
  readonly unsandboxed: boolean;
  readonly scripts: "off" | "ask" | "allow";
  readonly platform: string;
  readonly state: string;
  readonly data: string;
  readonly elsewhere: readonly Elsewhere[];
}

/** Looks at one skill, by whatever it is called, or at all of them. */
export async function diagnose(engine: Engine, reference?: string): Promise<Diagnosis> {
  const skills = await engine.skills();
  const { catalog } = skills;
  const elsewhere = await engine.elsewhere();
  const { sandbox, problem } = await engine.sandbox();
  if (reference?.trim() === "") throw new SkillError("invalid-input", "An empty name names no skill.");
  const findings = reference === undefined ? findAll(skills) : findNamed(skills, reference, engine.cwd);
  const described: SkillFinding[] = [];
  for (const entry of findings) described.push(await describe(engine, skills, entry));
  if (described.length === 0 && reference !== undefined) described.push(describeMissing(skills, reference, elsewhere));
  return {
    roots: catalog.roots.map(({ root, exists, skills: count }) => {
      const problem = catalog.diagnostics.find(({ path }) => path === root.path)?.message;
      const facts = { path: root.path, scope: root.scope, exists, trusted: root.trusted, skills: count };
      return problem === undefined ? facts : { ...facts, problem };
    }),
    skills: described,
    usable: described.some(({ state }) => state === "listed" || (state === "shadowed" && described.length === 1)),
    duplicates: findDuplicates(catalog.hidden),
    diagnostics: [...engine.problems, ...catalog.diagnostics],
    environment: {
      node: process.version,
      sandbox,
      ...(problem !== undefined && { sandboxProblem: problem }),
      unsandboxed: await engine.isUnsandboxed(),
      scripts: skills.policy.scripts.mode,
      platform: `${process.platform} ${process.arch}`,
      ...engine.folders,
      elsewhere,
    },
  };
}

type Finding = Skill | HiddenSkill;

function findAll({ catalog }: Skills): readonly Finding[] {
  return [...catalog.skills, ...catalog.hidden];
}

/** Everything that answers to a name, in whatever state; a path or `name@scope` means one. */
function findNamed(skills: Skills, reference: string, cwd: string): readonly Finding[] {
  const same = findAll(skills).filter(({ name }) => name.normalize("NFKC") === reference.normalize("NFKC"));
  if (same.length > 0) return same;
  const path = resolve(cwd, reference);
  try {
    const entry = skills.lookup(existsSync(path) ? path : reference);
    return [entry.state === "listed" ? entry.skill : entry];
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const { paths } = error.details as { readonly paths?: readonly string[] };
    return findAll(skills).filter(({ path }) => paths?.includes(path));
  }
}

async function describe(engine: Engine, skills: Skills, entry: Finding): Promise<SkillFinding> {
  const { name, scope, path } = entry;
  const hiddenText = await readHiddenText(skills, entry);
  const facts = { name, path, scope, ...(hiddenText.length > 0 ? { hiddenText } : {}) };
  if ("state" in entry) {
    return { ...facts, state: entry.state, reason: entry.reason, fix: fixOf(engine, skills, entry) };
  }
  if (entry.fields.disableModelInvocation === true) {
    const reason = "its author keeps it for people: models neither see nor activate it";
    return { ...facts, state: "listed", reason, fix: 'remove "disable-model-invocation" to let models use it' };
  }
  const warning = skills.catalog.diagnostics.find((each) => each.path === path);
  const fix = warning === undefined ? "" : `skillholm validate ${shellWord(entry.dir)}`;
  return { ...facts, state: "listed", reason: warning?.message ?? "", fix };
}

function fixOf(engine: Engine, skills: Skills, hidden: HiddenSkill): string {
  const { state, name, scope, dir, path } = hidden;
  const { catalog } = skills;
  const isAlone = findAll(skills).filter((each) => each.name === name && each.scope === scope).length === 1;
  const way = isAlone ? `use ${name}@${scope}` : "give its path";
  const line = catalog.diagnostics.find((each) => each.path === path && each.severity === "error")?.line;
  const fixes: Readonly<Record<HiddenState, string>> = {
    shadowed: hidden.reason.startsWith("same text") ? "nothing: it is the same" : `${way}, or rename one`,
    disabled: `take it off the list: ${placeOf(engine, "skills.disabled")}`,
    untrusted: `look at it, then: ${trustCommand(hidden.root)}`,
    invalid: `mend ${path}${line === undefined ? "" : `:${line}`}; skillholm validate ${shellWord(dir)} says how`,
    "over-limit": "remove skills, or give fewer roots",
  };
  return fixes[state];
}

function placeOf(engine: Engine, key: string): string {
  const setting = engine.config().settings.find((each) => each.key === key);
  return setting?.path === undefined ? `${key} (${setting?.from})` : `${key} in ${setting.path}:${setting.line}`;
}

function describeMissing({ catalog }: Skills, name: string, elsewhere: readonly Elsewhere[]): SkillFinding {
  const other = elsewhere.find(({ path }) => existsSync(join(path, name, "SKILL.md")));
  const near = closestNames(
    [...catalog.skills, ...catalog.hidden].map((each) => each.name),
    name,
  );
  const roots = catalog.roots.map(({ root }) => root.path).join(", ");
  const reason = `no root holds it; looked in ${roots || "no folder at all"}`;
  const guess = near.length > 0 ? `did you mean ${near.join(", ")}? ` : "";
  const fix =
    other === undefined
      ? `${guess}Put its folder into one of the roots`
      : `it lies in ${other.path}: skillholm compat on ${other.agent}`;
  return { name, path: null, state: "missing", reason, fix };
}

// A page of a person's reading; nobody hides the first word behind more.
const readBytes = 256 * 1024;

async function readHiddenText(skills: Skills, entry: SkillRef): Promise<readonly string[]> {
  // Another server's files come when somebody reads them, not when somebody looks at all skills.
  if (entry.root.origin !== undefined) return [];
  try {
    const bytes = await skills.read(entry, "SKILL.md");
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, readBytes));
    return findHiddenText(text).map((each) => `line ${each.line}: ${describeHiddenText(each)}`);
  } catch (error) {
    // What cannot be read has its own state and reason.
    if (error instanceof SkillError) return [];
    throw error;
  }
}

function findDuplicates(hidden: readonly HiddenSkill[]): Diagnosis["duplicates"] {
  const shadowed = hidden.filter(({ state }) => state === "shadowed");
  const groups = Map.groupBy(shadowed, ({ winner = "" }) => winner);
  return [...groups].map(([winner, losers]) => {
    return { name: losers[0]?.name ?? "", paths: [winner, ...losers.map(({ path }) => path)] };
  });
}
