import { type DiscoverRequest, type Discovery, discoverSkills } from "./discover.ts";
import type { Root } from "./root.ts";
import type { Candidate, Scan, SourceRoots } from "./source.ts";

/** What changed below each root since the last look; the root's own path when that may be anything. */
export type Changes = ReadonlyMap<Root, ReadonlySet<string>>;

/** Discovers the same roots again and again; what is kept between two looks lets the next one be partial. */
export interface Rediscovery {
  /** Everything without `changes`. */
  discover(changes?: Changes): Promise<Discovery>;
  /** Keeps the scans of a look; those of the candidates that were loaded need no text any more. */
  keep(discovery: Discovery): void;
  forget(): void;
  /** Whether a look found nothing to look at. */
  isSame(discovery: Discovery): boolean;
}

/** `isLoaded`: whether the last load knows a candidate that comes without its text. */
export function createRediscovery(
  sources: readonly SourceRoots[],
  request: DiscoverRequest,
  isLoaded: (candidate: Candidate) => boolean,
): Rediscovery {
  const scans = new Map<Root, Scan>();

  const since = (changes: Changes) => (root: Root) => {
    const scan = scans.get(root);
    return scan === undefined ? undefined : { scan, changed: [...(changes.get(root) ?? [])] };
  };

  // A root that came or went, or a candidate that the last load left out: either may concern the rest.
  const isWhole = (found: Discovery): boolean =>
    found.scans.every(({ root, exists }) => scans.get(root)?.exists === exists) &&
    found.candidates.every((candidate) => candidate.head !== undefined || isLoaded(candidate));

  return {
    async discover(changes) {
      if (changes !== undefined && [...changes].every(([root, paths]) => !paths.has(root.path))) {
        const found = await discoverSkills(sources, { ...request, since: since(changes) });
        if (isWhole(found)) return found;
      }
      return discoverSkills(sources, request);
    },
    keep({ scans: found }) {
      for (const scan of found) scans.set(scan.root, { ...scan, candidates: scan.candidates.map(withoutText) });
    },
    forget: () => scans.clear(),
    isSame: (found) => found.scans.every((scan) => scans.get(scan.root) === scan),
  };

  function withoutText(candidate: Candidate): Candidate {
    if (candidate.head === undefined || !isLoaded(candidate)) return candidate;
    const { head: _, openai: __, ...rest } = candidate;
    return rest;
  }
}
