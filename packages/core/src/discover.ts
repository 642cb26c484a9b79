import type { Diagnostic } from "./diagnostic.ts";
import type { Root } from "./root.ts";
import type { Candidate, Reject, Scan, ScanRequest, Since, Source, SourceRoots } from "./source.ts";

/** The one name that makes a folder a skill. */
export const skillFile = "SKILL.md";

/** Folders that a walk never enters. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** `skill.md`, `Skill.md`, `SKILL.MD`: meant as a skill, found by no client that keeps to the rules. */
export function isMisspelt(name: string): boolean {
  return name.length === skillFile.length && name !== skillFile && name.toUpperCase() === "SKILL.MD";
}

/** What all roots hold, each skill once. */
export interface Discovery {
  readonly scans: readonly Scan[];
  readonly candidates: readonly Candidate[];
  readonly rejects: readonly Reject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What is asked of every root; `since` is each root's own. */
export interface DiscoverRequest extends Omit<ScanRequest, "roots" | "since"> {
  readonly since?: (root: Root) => Since | undefined;
}

/** Asks each source for each of its roots, one after the other, and merges what they found. */
export async function discoverSkills(sources: readonly SourceRoots[], request: DiscoverRequest): Promise<Discovery> {
  const found = [];
  for (const { source, roots } of sources) {
    const scans: Scan[] = [];
    for (const root of roots) scans.push(await scanRoot(source, root, roots, request));
    const candidates = mergeCandidates(scans);
    found.push({ scans, candidates, rejects: mergeRejects(scans, candidates) });
  }
  const scans = found.flatMap((each) => each.scans);
  return {
    scans,
    candidates: found.flatMap((each) => each.candidates),
    rejects: found.flatMap((each) => each.rejects),
    diagnostics: withoutRepeats(scans.flatMap((scan) => scan.diagnostics)),
  };
}

async function scanRoot(source: Source, root: Root, roots: readonly Root[], request: DiscoverRequest): Promise<Scan> {
  const since = request.since?.(root);
  return since?.changed.length === 0 ? since.scan : source.scan(root, { ...request, roots, since });
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, path }) => !seen.has(`${code} ${path}`) && seen.add(`${code} ${path}`));
}

// Two ways to one file are one skill: the trusted one, then the one that is no link, then the first.
function mergeCandidates(scans: readonly Scan[]): readonly Candidate[] {
  const [only, ...more] = scans.filter((scan) => scan.candidates.length > 0);
  if (only !== undefined && more.length === 0 && !only.candidates.some((each) => each.linked)) return only.candidates;
  const chosen = new Map<string, Candidate>();
  for (const scan of scans) {
    for (const candidate of scan.candidates) {
      const other = chosen.get(candidate.realPath);
      if (other !== undefined && !isBetter(candidate, other)) continue;
      // Deleted first, so that it stands where its own root puts it.
      chosen.delete(candidate.realPath);
      chosen.set(candidate.realPath, candidate);
    }
  }
  return [...chosen.values()];
}

// Roots may overlap: what one of them took, or refused already, is no second skill.
function mergeRejects(scans: readonly Scan[], candidates: readonly Candidate[]): readonly Reject[] {
  const rejects = scans.flatMap((scan) => scan.rejects);
  if (rejects.length === 0) return rejects;
  const seen = new Set(candidates.flatMap((candidate) => [candidate.path, candidate.realPath]));
  return rejects.filter(({ realPath }) => !seen.has(realPath) && seen.add(realPath));
}

function isBetter(candidate: Candidate, other: Candidate): boolean {
  if (candidate.root.trusted !== other.root.trusted) return candidate.root.trusted;
  return other.linked && !candidate.linked;
}
