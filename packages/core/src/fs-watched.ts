import type { FSWatcher } from "node:fs";
import { basename, sep } from "node:path";
import { isMisspelt, skillFile } from "./discover.ts";

/** One watched folder. */
export interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number;
  readonly device: number;
  /** The last look that found the same folder here. */
  checked: number;
  /** The folder may be another one by now, although its number is the same. */
  stale: boolean;
  /** The last look that entered it as a folder of the walk; 0 for none. */
  entered: number;
  /** A skill's folder that nothing below counts in. */
  leaf: boolean;
  /** Names that matter for something elsewhere: what is told of them, with the last look that asked for it. */
  names?: Map<string, Map<string, number>>;
}

/** What an event in a folder is told as: nothing, where no catalog could differ. */
export function pathsToTell(watched: Watched, path: string, event: string, name: string | null): readonly string[] {
  const told: string[] = [];
  // The system names the folder itself so when it is moved or removed, and a child of that name alike.
  const isSelf = name === null || (event === "rename" && name === basename(path));
  if (watched.entered > 0 && isSelf) told.push(path);
  if (watched.entered > 0 && name !== null && matters(watched, name)) told.push(path + sep + name);
  const { names } = watched;
  if (names === undefined) return told;
  for (const paths of isSelf ? names.values() : [names.get(name)]) if (paths !== undefined) told.push(...paths.keys());
  return told;
}

function matters(watched: Watched, name: string): boolean {
  return !watched.leaf || name === skillFile || name === "agents" || isMisspelt(name);
}

/** Forgets the names that the last look at these parts did not ask for. */
export function dropNames(names: NonNullable<Watched["names"]>, look: number, isPart: (path: string) => boolean): void {
  for (const [name, paths] of names) {
    for (const [path, last] of paths) if (last !== look && isPart(path)) paths.delete(path);
    if (paths.size === 0) names.delete(name);
  }
}
