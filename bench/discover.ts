// How fast skills load, as a ratio to the raw limit: list the folders, open and read 8 KB of each file, nothing else.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSkills } from "@skillholm/core";
import { generateSkills } from "./generate.ts";

const [mode = "", folder = ""] = process.argv.slice(2);
if (mode === "raw" || mode === "skills") await measureOnce(mode, folder);
else await compareAll(process.argv.slice(2).map(Number).filter(Boolean));

async function compareAll(counts: readonly number[]): Promise<void> {
  console.log("skills   fresh process   ratio     warm   ratio    µs/skill   resident   lost with 256 files");
  for (const count of counts.length > 0 ? counts : [1000, 10_000, 50_000]) {
    const root = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
    try {
      generateSkills(root, count);
      await compare(root, count);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

async function compare(root: string, count: number): Promise<void> {
  const fresh = { raw: [] as number[], skills: [] as number[], resident: 0 };
  for (let round = 0; round < 5; round++) {
    fresh.raw.push(inFreshProcess("raw", root).ms);
    const skills = inFreshProcess("skills", root);
    fresh.skills.push(skills.ms);
    fresh.resident = Math.max(fresh.resident, skills.resident);
  }
  const warm = { raw: [] as number[], skills: [] as number[] };
  for (let round = 0; round < 7; round++) {
    warm.raw.push(await time(() => readRaw(root)));
    warm.skills.push(await time(() => load(root)));
  }
  const lost = count - inFreshProcess("skills", root, 256).found;
  const ms = median(warm.skills.slice(2));
  const cells = [
    String(count).padStart(6),
    `${median(fresh.skills).toFixed(0).padStart(10)} ms`,
    ratio(median(fresh.skills), median(fresh.raw)),
    `${ms.toFixed(0).padStart(6)} ms`,
    ratio(ms, median(warm.raw.slice(2))),
    ((ms * 1000) / count).toFixed(1).padStart(9),
    `${(fresh.resident / 2 ** 20).toFixed(0).padStart(6)} MB`,
    String(lost).padStart(6),
  ];
  console.log(cells.join("  "));
}

async function load(root: string): Promise<number> {
  const place = { path: root, scope: "user", trusted: true, writable: true, links: "anywhere" } as const;
  const { catalog } = await openSkills({ roots: [place] });
  return catalog.skills.length + catalog.hidden.length;
}

function readRaw(root: string): number {
  const buffer = Buffer.allocUnsafe(8192);
  let found = 0;
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const dir = `${root}/${entry.name}`;
    if (!readdirSync(dir).includes("SKILL.md")) continue;
    const file = openSync(`${dir}/SKILL.md`, "r");
    readSync(file, buffer, 0, 8192, 0);
    closeSync(file);
    found++;
  }
  return found;
}

async function measureOnce(what: "raw" | "skills", root: string): Promise<void> {
  let found = 0;
  const ms = await time(async () => {
    found = what === "raw" ? readRaw(root) : await load(root);
  });
  console.log(JSON.stringify({ ms, found, resident: process.memoryUsage.rss() }));
}

function inFreshProcess(what: string, root: string, files?: number): { ms: number; found: number; resident: number } {
  const command = [process.execPath, fileURLToPath(import.meta.url), what, root];
  const limited = ["sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...command];
  const [program = "", ...args] = files === undefined ? command : limited;
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function time(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function ratio(ours: number, raw: number): string {
  return `${(ours / raw).toFixed(2)}×`.padStart(6);
}
