import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, onTestFinished } from "vitest";
import { layEntries } from "../../../test/support/tree.ts";

const bin = fileURLToPath(new URL("../bin/skillholm.js", import.meta.url));

export interface RunOptions {
  /** Relative to the machine's folder; made if it is not there. */
  readonly cwd?: string;
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** `closed`: the reader goes away after the first piece, as `head` does. `full`: the disk is full. */
  readonly stdout?: "read" | "closed" | "full";
  /** What it reads; nothing at all unless given. */
  readonly stdin?: string;
}

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on. */
export interface Running {
  readonly line: string;
  /** What it has said on stderr so far. */
  notes(): string;
  /** Ends it, and gives its exit status. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A computer with nothing on it but what the test laid out: `home` is its home folder, `state` its XDG state. */
export interface Machine {
  /** The absolute path of something on it. */
  at(path: string): string;
  run(args: readonly string[], options?: RunOptions): Promise<Result>;
  /** Starts a command that goes on, and waits for its first line. */
  start(args: readonly string[]): Promise<Running>;
  /** The same with `--json`, and the output parsed. */
  runJson(args: readonly string[], options?: RunOptions): Promise<{ status: number | null; json: unknown }>;
}

/** Makes machines for the test file that calls it at its top; all are removed after that file. */
export function createMachines(): (files: Readonly<Record<string, string>>) => Machine {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "skillholm-cli-")));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  let count = 0;
  return (files) => {
    const folder = join(base, `machine-${++count}`);
    layEntries(folder, { "home/.profile": "", ...files });
    // One cache of compiled modules for all of them: half the time of every run.
    const run: Machine["run"] = (args, options = {}) => runCommand(folder, join(base, "cache"), args, options);
    return {
      at: (path) => join(folder, path),
      run,
      start: (args) => startCommand(folder, join(base, "cache"), args),
      runJson: async (args, options) => {
        const { status, stdout } = await run([...args, "--json"], options);
        return { status, json: JSON.parse(stdout) };
      },
    };
  };
}

/** The text of a `SKILL.md`. */
export function skill(name: string, description = `About ${name}.`, body = "Do it."): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

function spawnCommand(folder: string, cache: string, args: readonly string[], options: RunOptions) {
  const cwd = join(folder, options.cwd ?? "project");
  mkdirSync(cwd, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CACHE_HOME: cache,
    ...options.env,
  };
  const stdout = options.stdout === "full" ? openSync("/dev/full", "w") : "pipe";
  const child = spawn(process.execPath, [...(options.node ?? []), bin, ...args], {
    cwd,
    env,
    stdio: [options.stdin === undefined ? "ignore" : "pipe", stdout, "pipe"],
  });
  child.stdin?.end(options.stdin);
  return child;
}

function runCommand(folder: string, cache: string, args: readonly string[], options: RunOptions): Promise<Result> {
  const child = spawnCommand(folder, cache, args, options);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (options.stdout === "closed") child.stdout?.destroy();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

async function startCommand(folder: string, cache: string, args: readonly string[]): Promise<Running> {
  const child = spawnCommand(folder, cache, args, {});
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let notes = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    notes += text;
  });
  const end = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  const first = new Promise<string>((resolve) =>
    createInterface(child.stdout ?? Readable.from([])).once("line", resolve),
  );
  const line = await Promise.race([first, ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`it ended without a line: ${notes}`);
  return { line, notes: () => notes, end };
}
