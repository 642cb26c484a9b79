// How long it takes from the command to the first page, as a ratio to a bare server of the same framework.
//   node bench/start.ts [ROUNDS]     default: 11
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildPage } from "../scripts/page.ts";

const repo = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home };

const ways = {
  "npm start": ["npm", "start", "--silent", "--", "--port", "0"],
  "a bare server through npm": ["npm", "run", "--silent", "bare-server"],
  "skillholm serve": [process.execPath, "hosts/cli/bin/skillholm.js", "serve", "--port", "0"],
  "a bare server": [process.execPath, "bench/bare-server.mjs"],
} as const;

type Way = keyof typeof ways;

const rounds = Number(process.argv[2] ?? 11);
const times = new Map<Way, number[]>();
try {
  buildPage();
  // The first of each fills caches and counts for nothing; then they take turns, so that what disturbs one disturbs all.
  for (let round = 0; round <= rounds; round++) {
    for (const way of Object.keys(ways) as Way[]) {
      const time = await untilFirstPage(ways[way]);
      if (round > 0) times.set(way, [...(times.get(way) ?? []), time]);
    }
  }
  print();
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function untilFirstPage([program, ...args]: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(program ?? "", args, { cwd: repo, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.on("close", () => reject(new Error(`${program} ${args.join(" ")} ended before it was ready`)));
  });
  try {
    const response = await fetch(/http:\S+/.exec(line)?.[0].replace(/\?.*/, "") ?? line);
    if (!(await response.text()).includes("<title>")) throw new Error(`no page: ${response.status}`);
    return performance.now() - start;
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  }
}

function print(): void {
  console.log(`from the command to the first page, medians of ${rounds} rounds`);
  for (const way of times.keys()) console.log(`  ${way.padEnd(28)} ${median(way).toFixed(0).padStart(5)} ms`);
  for (const [way, base] of [
    ["npm start", "a bare server"],
    ["npm start", "a bare server through npm"],
    ["skillholm serve", "a bare server"],
  ] as const) {
    console.log(`  ${way} to ${base}: ${(median(way) / median(base)).toFixed(2)}×`);
  }
}

function median(way: Way): number {
  const sorted = (times.get(way) ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
