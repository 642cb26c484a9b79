import { lstatSync } from "node:fs";
import { sep } from "node:path";
import { isMisspelt, isSkippedFolder, skillFile } from "./discover.ts";
import { type Folder, type Found, type FsScan, tellOfRoot } from "./fs-found.ts";
import { Walk } from "./fs-walk.ts";
import type { RootWatch } from "./fs-watch.ts";
import type { Root } from "./root.ts";
import type { Scan, ScanRequest } from "./source.ts";

// With more, one walk over everything is the cheaper way.
const mostParts = 500;

export function isFsScan(scan: Scan): scan is FsScan {
  return "links" in scan && "bounds" in scan;
}

/**
 * Looks again at the parts of a root that changed, and puts them in their places in the scan before. Undefined where
 * only a walk over the whole root can tell: then nothing of this one counts.
 */
export function* rescanRoot(
  root: Root,
  request: ScanRequest,
  before: FsScan,
  changed: readonly string[],
  watch?: RootWatch,
): Generator<void, FsScan | undefined> {
  if (!before.exists || before.truncated) return undefined;
  watch?.begin("parts");
  const walk = new Walk(root, request, watch, before);
  const top = walk.enterRoot();
  const { found } = walk;
  if (top === undefined || found.bounds.join("\0") !== before.bounds.join("\0")) return undefined;
  const parts = findParts(walk, top, changed);
  if (parts === undefined || parts.size > mostParts) return undefined;
  const isChanged = belowAny(parts, root.path);
  const outermost = [...parts.values()].filter(({ folder }) => !isChanged(folder.path));
  outermost.sort((a, b) => compareWalk(pathOf(a), pathOf(b)));
  yield* walk.visitAll(outermost.flatMap(({ folder, name }) => walk.enterChild(folder, name)));
  if (found.truncated || !areLinksCertain(before, found, isChanged)) return undefined;
  watch?.settle(isChanged);
  return merge(before, found, isChanged, request.limits.depth, watch?.problem);
}

/** An entry of a folder that is to be looked at again, with everything below it. */
interface Part {
  readonly folder: Folder;
  readonly name: string;
}

function pathOf({ folder, name }: Part): string {
  return folder.path + sep + name;
}

function findParts(walk: Walk, top: Folder, changed: readonly string[]): ReadonlyMap<string, Part> | undefined {
  const parts = new Map<string, Part>();
  for (const path of changed) {
    const part = findPart(walk, top, path);
    if (part === "root") return undefined;
    if (part !== "nothing") parts.set(pathOf(part), part);
  }
  return parts;
}

/** The smallest part that a change can make a difference to. */
function findPart(walk: Walk, top: Folder, path: string): Part | "root" | "nothing" {
  const names = path.slice(top.path.length + 1).split(sep);
  // Several names that are no text look the same.
  if (!path.startsWith(top.path + sep) || path.includes("\uFFFD")) return "root";
  const last = names.pop() ?? "";
  let folder = top;
  let own: Part | "root" = "root";
  for (const name of names) {
    if (isSkippedFolder(name)) return "nothing";
    own = { folder, name };
    const next = walk.stepInto(folder, name);
    if (next === undefined || (walk.request.nested === "skip" && hasSkill(next))) return own;
    folder = next;
  }
  const isOfSkill = last === skillFile || isMisspelt(last) || (last === "agents" && hasSkill(folder));
  if (isOfSkill) return own;
  return isSkippedFolder(last) ? "nothing" : { folder, name: last };
}

function hasSkill(folder: Folder): boolean {
  return lstatSync(folder.path + sep + skillFile, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a path is one of the parts or lies below one: by climbing, so that many parts cost no more than one. */
function belowAny(parts: ReadonlyMap<string, unknown>, root: string): (path: string) => boolean {
  return (path) => {
    for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf(sep))) if (parts.has(at)) return true;
    return false;
  };
}

// Which of two ways to one folder is entered depends on the whole root; where there is one way only, it is certain.
function areLinksCertain(before: FsScan, found: Found, isChanged: (path: string) => boolean): boolean {
  const key = ({ path, real }: { path: string; real: string }) => `${path}\0${real}`;
  const [gone, kept] = partition(before.links, ({ path }) => isChanged(path));
  const earlier = new Set(gone.map(key));
  const now = new Set(found.links.map(key));
  const differing = [
    ...gone.filter((link) => !now.has(key(link))),
    ...found.links.filter((link) => !earlier.has(key(link))),
  ];
  if (differing.length === 0) return true;
  const countsBefore = countByReal(before.links);
  const countsNow = countByReal([...kept, ...found.links]);
  return differing.every(({ real }) => (countsBefore.get(real) ?? 0) <= 1 && (countsNow.get(real) ?? 0) <= 1);
}

function countByReal(links: FsScan["links"]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { real } of links) counts.set(real, (counts.get(real) ?? 0) + 1);
  return counts;
}

function partition<T>(list: readonly T[], test: (each: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(test), list.filter((each) => !test(each))];
}

function merge(
  before: FsScan,
  found: Found,
  isChanged: (path: string) => boolean,
  depth: number,
  watching: string | undefined,
): FsScan {
  const { root } = before;
  if (isUntouched(before, found, isChanged, watching)) return before;
  const kept = before.candidates.filter(({ dir }) => !isChanged(dir));
  const rejects = [...before.rejects.filter(({ dir }) => !isChanged(dir)), ...found.rejects];
  const deep = [...before.deep.filter((path) => !isChanged(path)), ...found.deep];
  const ofParts = ({ code, path }: FsScan["diagnostics"][number]) =>
    code !== "depth-limit" && code !== "watch-limit" && !isChanged(path);
  const told = [...found.diagnostics, ...tellOfRoot(root, deep.length, depth, watching)];
  const diagnostics = [...before.diagnostics.filter(ofParts), ...told];
  return {
    ...before,
    candidates: mergeInOrder(kept, found.candidates),
    rejects: rejects.sort((a, b) => compareWalk(a.dir, b.dir)),
    diagnostics,
    links: [...before.links.filter(({ path }) => !isChanged(path)), ...found.links],
    deep,
    folders: found.folders,
    entries: found.entries,
  };
}

// A file beside the skills, say: the very same scan tells everybody that nothing happened.
function isUntouched(
  before: FsScan,
  found: Found,
  isChanged: (path: string) => boolean,
  watching: string | undefined,
): boolean {
  const isTold = before.diagnostics.some(({ code }) => code === "watch-limit");
  if (isTold !== (watching !== undefined) || found.folders !== before.folders) return false;
  if (found.links.length + found.diagnostics.length + found.deep.length > 0) return false;
  const held = [before.candidates, before.rejects, before.links, before.diagnostics].flat();
  return !held.some(({ path }) => isChanged(path)) && !before.deep.some(isChanged);
}

/** Both lists are in the order of a walk, and so is the result. */
function mergeInOrder<T extends { readonly dir: string }>(kept: readonly T[], fresh: readonly T[]): readonly T[] {
  const merged: T[] = [];
  let next = 0;
  for (const each of fresh) {
    let from = next;
    let to = kept.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compareWalk((kept[middle] as T).dir, each.dir) < 0) from = middle + 1;
      else to = middle;
    }
    for (; next < from; next++) merged.push(kept[next] as T);
    merged.push(each);
  }
  for (; next < kept.length; next++) merged.push(kept[next] as T);
  return merged;
}

/** The order of a walk: a folder before what is in it, and "a/x" before "a-b". */
function compareWalk(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  if (a[at] === sep) return -1;
  return b[at] === sep || a.charCodeAt(at) > b.charCodeAt(at) ? 1 : -1;
}
