// What the sandbox costs over a bare spawn of the same script, in one run; and whether many runs in a row leave a process, a
// folder or memory behind.
//   node --expose-gc bench/run.ts [ROUNDS]     default: 40, then 200 in a row
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptRunner } from "@skillholm/sandbox";

const rounds = Number(process.argv[2] ?? 40);
const inARow = 200;
const folder = mkdtempSync(join(tmpdir(), "skillholm-bench-"));
const runner = createScriptRunner();
try {
  const { problem } = await runner.check();
  if (problem !== undefined) throw new Error(problem);
  for (const [script, source] of Object.entries({ "a.sh": "echo done\n", "a.js": 'console.log("done")\n' })) {
    const times = await compare(script, source);
    const [bare, boxed] = [median(times.bare), median(times.boxed)];
    const cost = `${(boxed - bare).toFixed(1)} ms more, ${(boxed / bare).toFixed(2)}×`;
    console.log(`${script}: bare ${bare.toFixed(1)} ms, in the sandbox ${boxed.toFixed(1)} ms (${cost})`);
  }
  await runInARow();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** They take turns, so that what disturbs one disturbs both; the first rounds warm up. */
async function compare(script: string, source: string) {
  const path = join(folder, script);
  writeFileSync(path, source);
  const program = script.endsWith(".js") ? process.execPath : "/bin/sh";
  const times = { bare: [] as number[], boxed: [] as number[] };
  for (let round = -5; round < rounds; round++) {
    const start = performance.now();
    await runBare(program, path);
    const middle = performance.now();
    await runBoxed(`scripts/${script}`, source);
    if (round < 0) continue;
    times.bare.push(middle - start);
    times.boxed.push(performance.now() - middle);
  }
  return times;
}

function runBare(program: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [path], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.on("error", reject).on("close", () => resolve());
  });
}

async function runBoxed(script: string, source: string): Promise<void> {
  const bytes = new TextEncoder().encode(source);
  const { stdout, stderr } = await runner.run({
    name: "bench",
    dir: "/home/somebody/.agents/skills/bench",
    script,
    interpreter: runner.interpreterOf(script, bytes),
    hashes: { [script]: createHash("sha256").update(bytes).digest("hex") },
    read: async () => bytes,
    workspace: "scratch",
    args: [],
    inputs: [],
    grants: [],
  });
  if (!stdout.includes("done")) throw new Error(`it did not run: ${stderr}`);
}

async function runInARow(): Promise<void> {
  // Each leaves a process that would outlive its parents.
  const source = "(setsid sleep 987 >/dev/null 2>&1 &); echo done\n";
  for (let count = 0; count < 20; count++) await runBoxed("scripts/b.sh", source);
  const [memory, handles] = [heap(), countHandles()];
  for (let count = 0; count < inARow; count++) await runBoxed("scripts/b.sh", source);
  const grown = (heap() - memory) / 1024;
  const processes = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid) === "sleep 987 ").length;
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`skillholm-run-${process.pid}-`)).length;
  console.log(
    `${inARow} runs in a row left ${processes} processes, ${folders} folders, ${countHandles() - handles} open files; memory grew by ${grown.toFixed(0)} KB`,
  );
  if (processes + folders + Math.max(0, countHandles() - handles) > 0) process.exitCode = 1;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function countHandles(): number {
  return readdirSync("/proc/self/fd").length;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
