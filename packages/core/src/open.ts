import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Catalog } from "./catalog.ts";
import { tryRealpath } from "./fs-path.ts";
import { createFsSource } from "./fs-source.ts";
import type { Gate } from "./gate.ts";
import { resolveLimits } from "./limits.ts";
import type { Policy } from "./policy.ts";
import type { Agent, Root, Scope } from "./root.ts";
import {
  projectFolders,
  type RootLayout,
  type RootsInput,
  resolveLayout,
  resolveOtherRoots,
  resolveRoots,
} from "./roots.ts";
import type { Embed } from "./search/meaning.ts";
import { createSkills, type Skills } from "./skills.ts";
import type { SourceRoots } from "./source.ts";

export interface OpenOptions {
  /** Where the project is looked for; default the working directory. */
  readonly cwd?: string;
  readonly home?: string;
  /** Whether a project's own skills may load. Default: none, until a person says so. */
  readonly trusted?: boolean | ((folder: string) => boolean);
  /** Other agents whose folders are read too. */
  readonly compat?: readonly Agent[];
  /** Instead of the default roots. */
  readonly roots?: readonly Root[];
  /** Further places, weaker than all roots. */
  readonly sources?: readonly SourceRoots[];
  readonly policy?: Partial<Policy>;
  /** Says why a skill of a trusted root waits all the same, if it does. */
  readonly gate?: Gate;
  /** Ranks searches by meaning too. */
  readonly embed?: Embed;
}

/** Finds and loads all skills on this machine: the whole thing in one call. */
export async function openSkills(options: OpenOptions = {}): Promise<Skills> {
  const roots = options.roots ?? resolveRoots(rootsInput(options));
  const sources = [{ source: createFsSource(), roots }, ...(options.sources ?? [])];
  const { policy, gate, embed } = options;
  return createSkills({ sources, ...(policy && { policy }), ...(gate && { gate }), ...(embed && { embed }) });
}

/** Where a profile with a layout of its own looks; `project` is its folder, where somebody named it. */
export function layoutRoots(
  layout: RootLayout,
  options: OpenOptions & { readonly project?: string } = {},
): readonly Root[] {
  const { project } = options;
  return resolveLayout(layout, { ...rootsInput(options), project: project && realFolder(project) });
}

/** Skills in the folder of an agent that is not switched on. */
export interface Elsewhere {
  readonly agent: Agent;
  readonly path: string;
  readonly scope: Scope;
  readonly count: number;
}

/** Counts the skills in other agents' folders that the catalog does not hold already. */
export async function countElsewhere(catalog: Catalog, options: OpenOptions = {}): Promise<readonly Elsewhere[]> {
  const source = createFsSource();
  const hidden = catalog.hidden.map((each) => each.skill?.realPath ?? tryRealpath(each.path) ?? each.path);
  const seen = new Set([...catalog.skills.map((skill) => skill.realPath), ...hidden]);
  const found: Elsewhere[] = [];
  for (const root of resolveOtherRoots(rootsInput(options))) {
    const request = {
      limits: resolveLimits(options.policy?.limits),
      nested: "skip",
      roots: [],
      read: "nothing",
    } as const;
    const { candidates } = await source.scan(root, request);
    const fresh = candidates.filter((each) => !seen.has(each.realPath) && seen.add(each.realPath));
    if (fresh.length === 0 || root.agent === undefined) continue;
    found.push({ agent: root.agent, path: root.path, scope: root.scope, count: fresh.length });
  }
  return found;
}

/** The home folder; one that cannot exist where the system knows none, so that nobody else's is taken for it. */
export function homeFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (env.HOME && isAbsolute(env.HOME)) return realFolder(env.HOME);
  try {
    return realFolder(homedir());
  } catch {
    return resolve("/nonexistent");
  }
}

// Folders are compared by text, so that links to them must be out of the way.
function realFolder(path: string): string {
  return tryRealpath(resolve(path)) ?? resolve(path);
}

/** The folder that a person trusts when they trust the project around `cwd`. */
export function projectFolder(cwd: string, home: string = homeFolder()): string {
  return projectFolders(realFolder(cwd), realFolder(home), existsSync).at(-1) ?? realFolder(cwd);
}

function rootsInput(options: OpenOptions): RootsInput {
  const { trusted = false } = options;
  return {
    cwd: realFolder(options.cwd ?? process.cwd()),
    home: realFolder(options.home ?? homeFolder()),
    compat: options.compat ?? [],
    isTrusted: typeof trusted === "function" ? trusted : () => trusted,
    exists: existsSync,
    bundled: bundledSkills,
  };
}

// The build defines this to the place of the skills in the package.
const place = (import.meta as { skillholmBundled?: string }).skillholmBundled ?? "../../../skills";
const bundledSkills = fileURLToPath(new URL(place, import.meta.url));
