// What watching costs, as ratios to loads in the same run: to begin, to keep in memory, and from a change to its catalog.
//   node --expose-gc bench/watch.ts [COUNT…]     default: 10000
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Catalog, openSkills, type Skills } from "@skillholm/core";
import { generateSkills } from "./generate.ts";

const counts = process.argv.slice(2).map(Number).filter(Boolean);
console.log("        to begin            memory of it     from a change to its catalog, of which 100 ms are the pause");
console.log(
  "skills  to a load: median   MiB resident     edited   saved by rename   moved in   removed    to a reload   longest",
);
for (const count of counts.length > 0 ? counts : [10_000]) await measure(count);

async function measure(count: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
  try {
    generateSkills(root, count);
    // Younger files are read again each time.
    await setTimeout(2100);
    await measureRoot(root, count);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measureRoot(root: string, count: number): Promise<void> {
  // First of all: memory that was used once is used again.
  const skills = await open(root);
  const before = residentAfterGc();
  const listeners = new Set<(catalog: Catalog) => void>();
  using watch = skills.watch((catalog) => {
    for (const listener of listeners) listener(catalog);
  });
  await watch.ready;
  const memory = residentAfterGc() - before;
  const reloads: number[] = [];
  for (let round = 0; round < 3; round++) reloads.push(await time(() => skills.reload()));
  const loads: number[] = [];
  const begins: number[] = [];
  for (let round = 0; round < 5; round++) {
    loads.push(await time(() => open(root)));
    const fresh = await open(root);
    begins.push(
      await time(async () => {
        using begun = fresh.watch();
        await begun.ready;
      }),
    );
  }
  const delays = await measureChanges(root, skills, () => nextCatalog(listeners));
  const all = Object.values(delays).flat();
  const cells = [
    String(count).padStart(6),
    ratio(median(begins), median(loads)).padStart(17),
    (memory / 2 ** 20).toFixed(0).padStart(14),
    ...[delays.edited, delays.saved, delays.moved, delays.removed].map((each, index) =>
      `${median(each).toFixed(0)} ms`.padStart([9, 16, 9, 8][index] ?? 8),
    ),
    ratio(median(all) - 100, median(reloads)).padStart(13),
    `${Math.max(...all).toFixed(0)} ms`.padStart(8),
  ];
  console.log(cells.join("  "));
}

async function measureChanges(root: string, skills: Skills, next: () => Promise<Catalog>) {
  const delays = { edited: [] as number[], saved: [] as number[], moved: [] as number[], removed: [] as number[] };
  const aside = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
  for (let round = 0; round < 9; round++) {
    const { path, dir } = skills.catalog.skills[round * 7] ?? { path: "", dir: "" };
    const text = (version: string) => `---\nname: changed-${round}\ndescription: ${version} Use when asked.\n---\n`;
    const measureNext = async (change: () => void) => {
      const told = next();
      return time(async () => {
        change();
        await told;
      });
    };
    delays.edited.push(await measureNext(() => writeFileSync(path, text("Edited."))));
    const save = () => {
      writeFileSync(join(dir, "SKILL.md.tmp"), text("Saved."));
      renameSync(join(dir, "SKILL.md.tmp"), path);
    };
    delays.saved.push(await measureNext(save));
    const group = join(aside, `group-${round}`);
    mkdirSync(join(group, "inner"), { recursive: true });
    writeFileSync(join(group, "inner/SKILL.md"), `---\nname: inner-${round}\ndescription: Moved in.\n---\n`);
    delays.moved.push(await measureNext(() => renameSync(group, join(root, `group-${round}`))));
    const remove = () => rmSync(join(root, `group-${round}`), { recursive: true });
    delays.removed.push(await measureNext(remove));
  }
  rmSync(aside, { recursive: true, force: true });
  return delays;
}

function nextCatalog(listeners: Set<(catalog: Catalog) => void>): Promise<Catalog> {
  const { promise, resolve } = Promise.withResolvers<Catalog>();
  const listener = (catalog: Catalog) => {
    listeners.delete(listener);
    resolve(catalog);
  };
  listeners.add(listener);
  // The watch keeps no process alive, and nothing else does here.
  const stop = new AbortController();
  const late = setTimeout(60_000, undefined, { signal: stop.signal }).then(() => {
    throw new Error("a change was not seen");
  });
  return Promise.race([promise, late]).finally(() => {
    late.catch(() => undefined);
    stop.abort();
  });
}

function open(root: string): Promise<Skills> {
  const place = { path: root, scope: "user", trusted: true, writable: true, links: "anywhere" } as const;
  return openSkills({ roots: [place] });
}

function residentAfterGc(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

async function time(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function ratio(ours: number, other: number): string {
  return `${(ours / other).toFixed(2)}×`;
}
