// How fast skills load, as a ratio to the raw limit: list the folders, open and read 8 KB of each file, nothing else.
//   node bench/discover.ts [COUNT…]     default: 1000 10000 50000
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openSkills } from "@skillholm/core";
import { generateSkills } from "./generate.ts";
import { readRaw } from "./raw-limit.mjs";

const rawLimit = fileURLToPath(new URL("raw-limit.mjs", import.meta.url));
const command = fileURLToPath(new URL("../hosts/cli/bin/skillholm.js", import.meta.url));

await compareAll(process.argv.slice(2).map(Number).filter(Boolean));

async function compareAll(given: readonly number[]): Promise<void> {
  console.log("        load in a running process                         load again     whole command");
  console.log(
    "skills  µs/skill  to raw: median    best   per skill     to a load   to raw process   peak MiB  lost at 256",
  );
  let first = 0;
  for (const count of given.length > 0 ? given : [1000, 10_000, 50_000]) {
    const root = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
    try {
      generateSkills(root, count);
      const perSkill = await compare(root, count, first);
      first ||= perSkill;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

/** Rounds alternate between the two, so that what disturbs the machine disturbs both. The median is what we claim. */
async function compare(root: string, count: number, first: number): Promise<number> {
  const rounds = Array.from({ length: count > 20_000 ? 5 : 15 });
  const raw: number[] = [];
  const load: number[] = [];
  for (const _ of rounds) {
    raw.push(await time(() => readRaw(root)));
    load.push(await time(() => open(root)));
  }
  // Younger files are read again each time.
  await setTimeout(2100);
  const skills = await open(root);
  const again: number[] = [];
  for (const _ of rounds.slice(0, 3)) again.push(await time(() => skills.reload()));
  const rawProcess: number[] = [];
  const whole: Whole[] = [];
  for (let round = 0; round < 3; round++) {
    rawProcess.push(await time(() => spawnSync(process.execPath, [rawLimit, root])));
    whole.push(await runCommand(root));
  }
  const lost = count - (await runCommand(root, 256)).found;
  const perSkill = (median(load) * 1000) / count;
  const cells = [
    String(count).padStart(6),
    perSkill.toFixed(1).padStart(9),
    ratio(median(load), median(raw)).padStart(15),
    ratio(best(load), best(raw)).padStart(7),
    (first === 0 ? "1" : (perSkill / first).toFixed(2)).padStart(10),
    ratio(median(again), median(load)).padStart(12),
    ratio(median(whole.map((each) => each.ms)), median(rawProcess)).padStart(15),
    (Math.max(...whole.map((each) => each.peak)) / 1024).toFixed(0).padStart(9),
    String(lost).padStart(12),
  ];
  console.log(cells.join("  "));
  return perSkill;
}

function open(root: string) {
  const place = { path: root, scope: "user", trusted: true, writable: true, links: "anywhere" } as const;
  return openSkills({ roots: [place] });
}

interface Whole {
  readonly ms: number;
  readonly found: number;
  /** Peak resident memory in KB, where the system tells. */
  readonly peak: number;
}

/** `skillholm list --json` as a person runs it, optionally with few files allowed open. */
async function runCommand(root: string, files?: number): Promise<Whole> {
  const args = [process.execPath, command, "list", "--json", "--root", `${root}=user`];
  const limited = ["sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...args];
  const [program = "", ...rest] = files === undefined ? args : limited;
  const start = performance.now();
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 5);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  clearInterval(watch);
  const ms = performance.now() - start;
  const { skills, hidden } = JSON.parse(Buffer.concat(chunks).toString());
  return { ms, found: skills.length + hidden.length, peak };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function time(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function best(values: readonly number[]): number {
  return Math.min(...values);
}

function ratio(ours: number, other: number): string {
  return `${(ours / other).toFixed(2)}×`;
}
