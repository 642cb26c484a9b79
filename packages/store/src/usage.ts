import { join } from "node:path";
import { stateFolder } from "./folders.ts";
import { createStateFile } from "./state-file.ts";

/** How often each skill was activated, by the path of its file. */
export interface UsageStore {
  counts(): ReadonlyMap<string, number>;
  add(paths: readonly string[]): Promise<void>;
}

type Counts = Readonly<Record<string, number>>;

// Nobody uses more; of those beyond, the least used are forgotten.
const mostKept = 1000;

export function createUsageStore(folder: string = stateFolder()): UsageStore {
  const file = createStateFile(join(folder, "usage.json"), { counts: {} as Counts }, checkCounts);
  return {
    counts: () => new Map(Object.entries(file.read().counts)),
    add: async (paths) => {
      if (paths.length === 0) return;
      await file.update(({ counts }) => {
        const now = new Map(Object.entries(counts));
        for (const path of paths) now.set(path, (now.get(path) ?? 0) + 1);
        // What was just used stays, or nothing new could ever enter.
        const isNew = new Set(paths);
        const rank = ([path, count]: readonly [string, number]) => (isNew.has(path) ? Number.POSITIVE_INFINITY : count);
        const kept = [...now].sort((a, b) => rank(b) - rank(a) || b[1] - a[1]).slice(0, mostKept);
        return { counts: Object.fromEntries(kept) };
      });
    },
  };
}

function checkCounts(value: unknown): { counts: Counts } {
  const { counts } = Object(value) as { counts: unknown };
  const isRight = counts === Object(counts) && Object.values(counts as object).every(Number.isInteger);
  if (!isRight) throw new Error('"counts" should be numbers by path');
  return { counts: counts as Counts };
}
