// What it takes to activate a skill and to read a file of it, as a ratio to a bare readFile of the same file; and whether a
// session costs more where there are more skills.
//   node bench/activate.ts [ROUNDS]     default: 400
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSkills, type Session, type Skills } from "@skillholm/core";
import { layEntries } from "../test/support/tree.ts";

const rounds = Number(process.argv[2] ?? 400);
const folder = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
try {
  const sizes = [10, 1000, 10_000];
  const medians = new Map<number, number>();
  for (const size of sizes) {
    const skills = await lay(size);
    const session = skills.session();
    const { path, dir } = skills.find("skill-7");
    const resource = join(dir, "references/guide.md");
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      "bare readFile of SKILL.md": () => readFile(path),
      activate: () => session.activate("skill-7"),
      "bare readFile of a resource": () => readFile(resource),
      read: () => session.read("skill-7", "references/guide.md"),
    };
    const times = await measure(ways);
    const activate = ratio(times, "activate", "bare readFile of SKILL.md");
    const read = ratio(times, "read", "bare readFile of a resource");
    medians.set(size, median(times.get("activate") ?? []));
    console.log(`${String(size).padStart(6)} skills: activate ${activate}× and read ${read}× a bare readFile`);
    console.log(`               a new session ${(await openTime(skills)).toFixed(3)} ms`);
  }
  const [small = 1, large = 1] = [medians.get(10), medians.get(10_000)];
  console.log(`activate with 10,000 skills takes ${(large / small).toFixed(2)}× of what it takes with 10`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function lay(size: number): Promise<Skills> {
  const root = join(folder, String(size));
  const body = `# Title\n\n${"Do this, then that, with care.\n".repeat(80)}`;
  for (let n = 0; n < size; n++) {
    const own = { [`skill-${n}/SKILL.md`]: `---\nname: skill-${n}\ndescription: Does thing ${n}.\n---\n\n${body}` };
    layEntries(root, n === 7 ? { ...own, [`skill-${n}/references/guide.md`]: body } : own);
  }
  return openSkills({ roots: [{ path: root, scope: "user", trusted: true, writable: true, links: "inside" }] });
}

/** They take turns, so that what disturbs one disturbs all; the first rounds warm up. */
async function measure(ways: Readonly<Record<string, () => Promise<unknown>>>): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = -50; round < rounds; round++) {
    for (const [name, run] of Object.entries(ways)) {
      const start = performance.now();
      await run();
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  }
  return times;
}

async function openTime(skills: Skills): Promise<number> {
  const times: number[] = [];
  let last: Session | undefined;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    last = skills.session();
    await last.activate("skill-3");
    times.push(performance.now() - start);
  }
  return median(times);
}

function ratio(times: ReadonlyMap<string, number[]>, name: string, base: string): string {
  return (median(times.get(name) ?? []) / median(times.get(base) ?? [])).toFixed(2);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
