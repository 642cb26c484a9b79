import type { Agent, Root } from "./root.ts";

/** Relative to a project's folder, and to the home folder. */
interface AgentFolders {
  readonly project: readonly string[];
  readonly user: readonly string[];
}

const agentFolders: Readonly<Record<Agent, AgentFolders>> = {
  claude: { project: [".claude/skills"], user: [".claude/skills"] },
  codex: { project: [".codex/skills"], user: [".codex/skills", ".codex/skills/.system"] },
  gemini: { project: [".gemini/skills"], user: [".gemini/skills"] },
  opencode: {
    project: [".opencode/skills", ".opencode/skill"],
    user: [".config/opencode/skills", ".config/opencode/skill"],
  },
  cursor: { project: [".cursor/skills"], user: [".cursor/skills"] },
  copilot: { project: [".github/skills"], user: [".copilot/skills"] },
};

export const agents = Object.keys(agentFolders) as Agent[];

/** What makes a folder a project's. */
const projectMarkers: readonly string[] = [".git", ".jj", ".skillholm"];

export interface RootsInput {
  readonly cwd: string;
  readonly home: string;
  /** Other agents whose folders count as roots. */
  readonly compat: readonly Agent[];
  readonly isTrusted: (folder: string) => boolean;
  readonly exists: (path: string) => boolean;
  /** Folder of the skills that ship with the program. */
  readonly bundled?: string;
}

/** The roots of the `standard` profile, strongest first. */
export function resolveRoots(input: RootsInput): readonly Root[] {
  const roots = [...projectRoots(input, input.compat, true), ...userRoots(input, input.compat, true)];
  if (input.bundled !== undefined) {
    roots.push({ path: input.bundled, scope: "system", trusted: true, writable: false, links: "inside" });
  }
  return withoutRepeats(roots);
}

/** Where a profile looks for skills, as plain data. */
export interface RootLayout {
  /** In the order in which they are looked at. */
  readonly places: readonly RootPlace[];
  /** What makes a folder a project's. */
  readonly markers?: readonly string[];
}

export interface RootPlace extends Pick<Root, "scope" | "writable"> {
  /** `chain`: in every folder from the project's down to the working one; `bundled`: what ships with the program. */
  readonly in: "chain" | "project" | "home" | "bundled";
  readonly path: string;
}

export interface LayoutInput extends Omit<RootsInput, "compat" | "isTrusted"> {
  /** The project's folder, where somebody named it. */
  readonly project?: string | undefined;
}

/** The roots of a profile with a layout of its own. Who chooses such a profile trusts what lies there. */
export function resolveLayout({ places, markers }: RootLayout, input: LayoutInput): readonly Root[] {
  const chain = resolveChain(input, markers);
  const project = chain[0] ?? input.cwd;
  const folders = { chain, project: [project], home: [input.home], bundled: [input.bundled ?? ""] };
  const roots = places.flatMap(({ in: where, path, scope, writable }) => {
    const inProject = where === "chain" || where === "project";
    return folders[where].map((folder): Root => {
      const place = path === "" ? folder : join(folder, path);
      const links = where === "home" ? "anywhere" : "inside";
      return { path: place, scope, writable, trusted: true, links, ...(inProject && { project }) };
    });
  });
  return withoutRepeats(roots.filter(({ path }) => path !== ""));
}

/** From the project's folder down to the working one. */
function resolveChain({ cwd, home, exists, project }: LayoutInput, markers?: readonly string[]): readonly string[] {
  if (project === undefined) return projectFolders(cwd, home, exists, markers).toReversed();
  const folders: string[] = [];
  for (let folder = cwd; folder !== parentOf(folder); folder = parentOf(folder)) {
    folders.unshift(folder);
    if (folder === project) return folders;
  }
  return [project];
}

/** The folders of agents that are not switched on, so that a person can be told what lies there. */
export function resolveOtherRoots(input: RootsInput): readonly Root[] {
  const others = agents.filter((agent) => !input.compat.includes(agent));
  return withoutRepeats([...projectRoots(input, others, false), ...userRoots(input, others, false)]);
}

/**
 * The folders from `cwd` up to the nearest one with a marker; `cwd` alone where there is none. A home folder is no
 * project, even where somebody keeps it in a repository.
 */
export function projectFolders(
  cwd: string,
  home: string,
  exists: (path: string) => boolean,
  markers: readonly string[] = projectMarkers,
): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; folder !== home; folder = parentOf(folder)) {
    folders.push(folder);
    if (markers.some((marker) => exists(join(folder, marker)))) return folders;
    if (folder === parentOf(folder)) return [cwd];
  }
  return [cwd];
}

function projectRoots(input: RootsInput, compat: readonly Agent[], own: boolean): Root[] {
  const folders = projectFolders(input.cwd, input.home, input.exists);
  const project = folders.at(-1) ?? input.cwd;
  const place = { scope: "project", writable: true, links: "inside", project } as const;
  // In the home folder these are the user's own.
  return folders
    .filter((folder) => folder !== input.home)
    .flatMap((folder) => {
      const trusted = input.isTrusted(folder);
      return named(folder, "project", compat, own).map((each) => ({ ...place, trusted, ...each }));
    });
}

function userRoots(input: RootsInput, compat: readonly Agent[], own: boolean): Root[] {
  const place = { scope: "user", trusted: true, writable: true, links: "anywhere" } as const;
  return named(input.home, "user", compat, own).map((each) => ({ ...place, ...each }));
}

function named(
  folder: string,
  kind: keyof AgentFolders,
  compat: readonly Agent[],
  own: boolean,
): Pick<Root, "path" | "agent">[] {
  const theirs = compat.flatMap((agent) =>
    agentFolders[agent][kind].map((path) => ({ path: join(folder, path), agent })),
  );
  return own ? [{ path: join(folder, ".agents/skills") }, ...theirs] : theirs;
}

function withoutRepeats(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter((root) => !seen.has(root.path) && seen.add(root.path));
}

// Paths are handled as text, so that this runs without `node:`; both separators count.
function join(folder: string, path: string): string {
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return `${folder.replace(/[\\/]$/, "")}${separator}${path.replaceAll("/", separator)}`;
}

function parentOf(folder: string): string {
  const at = Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("\\"));
  if (at < 0) return folder;
  const parent = folder.slice(0, at);
  return parent === "" || /^[A-Za-z]:$/.test(parent) ? folder.slice(0, at + 1) : parent;
}
