import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ScriptInput, ScriptOutcome } from "@skillholm/core";
import { coverInherited } from "./inherited.ts";
import type { RunLimits } from "./limits.ts";
import { measureFolder } from "./run-folder.ts";
import { openStreams } from "./stream.ts";
import { listMarked, listTree, measureTree } from "./tree.ts";

/** A program to be watched until its end. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: ScriptInput | undefined;
  /** The sandbox tells on descriptor 3 whom to end and how it ended, and reads its filter from this one as 4. */
  readonly filter?: number;
  /** Private to the run. */
  readonly folder: string;
  /** What it leaves. */
  readonly output: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type Ending = Omit<ScriptOutcome, "sandbox" | "files"> & {
  /** False: the sandbox itself failed, and `stderr` says why. */
  readonly started: boolean;
};

// Often enough that what grows by a gigabyte a second is ended in time.
const lookMs = 100;
// A pipe holds 64 KiB: more often than it fills up at the speed of any use.
const drainMs = 10;

/** Runs a program to its end, or ends it and everything below it at a limit; comes back when all of it is gone. */
export async function supervise(command: Command, limits: RunLimits): Promise<Ending> {
  let ended: ScriptOutcome["ended"];
  let child: ChildProcess | undefined;
  let told = "";
  const isSandboxed = command.filter !== undefined;
  const end = (why: NonNullable<ScriptOutcome["ended"]>) => {
    ended ??= why;
    if (child !== undefined) killAll(child, told, isSandboxed, command.output);
  };
  const streams = openStreams(command.folder, limits.outputBytes);
  const [out, err] = streams;
  const drain = () => {
    const isOver = streams.map((stream) => stream.drain()).every((state) => state === "over");
    if (ended === undefined && streams.some((stream) => stream.isFull())) end("output");
    return isOver;
  };
  const start = performance.now();
  const timer = setTimeout(() => end("timeout"), command.timeoutMs);
  const pump = setInterval(drain, drainMs);
  const look = setInterval(() => {
    const problem = child?.pid === undefined ? undefined : findProblem(child.pid, command.output, limits);
    if (problem !== undefined) end(problem);
  }, lookMs);
  const abort = () => end("abort");
  command.signal?.addEventListener("abort", abort);
  try {
    child = startChild(command, out.handle, err.handle);
    for (const stream of streams) stream.started();
    // Before it is known whom to end, what should end it is remembered.
    (child.stdio[3] as Readable | null | undefined)?.setEncoding("utf8").on("data", (text: string) => {
      told += text;
      if (ended !== undefined) end(ended);
    });
    if (command.signal?.aborted) abort();
    const { code, signal } = await exitOf(child);
    // Without a sandbox, what went its own way may still hold the streams.
    if (!isSandboxed) killAll(child, told, isSandboxed, command.output);
    while (!drain()) await pause(1);
    const durationMs = Math.round(performance.now() - start);
    const truncated = out.isFull() || err.isFull();
    const facts = { stdout: out.text(), stderr: err.text(), truncated, durationMs, timedOut: ended === "timeout" };
    if (ended !== undefined) return { ...facts, started: true, exitCode: null, signal: "SIGKILL", ended };
    const started = !isSandboxed || told.includes('"exit-code"');
    return { ...facts, started, exitCode: code, signal: signal ?? signalOf(code) };
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    clearInterval(pump);
    command.signal?.removeEventListener("abort", abort);
    for (const stream of streams) stream.close();
  }
}

function startChild(command: Command, out: number, err: number): ChildProcess {
  const { program, args, env, cwd, filter } = command;
  const given = typeof command.stdin === "object" && "handle" in command.stdin ? command.stdin.handle : undefined;
  const input = given ?? openInput(command);
  const more = filter === undefined ? [] : (["pipe", filter, ...coverInherited()] as const);
  try {
    return spawn(program, args, {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: [input ?? "ignore", out, err, ...more],
      // Its own group: what a terminal sends to ours is ours to pass on.
      detached: true,
    });
  } finally {
    if (input !== undefined && given === undefined) closeSync(input);
  }
}

/** A file and no pipe of Node's, which is a socket: a script may open `/dev/stdin`. */
function openInput({ folder, stdin }: Command): number | undefined {
  if (stdin === undefined || (typeof stdin === "object" && "handle" in stdin)) return undefined;
  const path = join(folder, "stdin");
  writeFileSync(path, stdin, { mode: 0o644 });
  return openSync(path, "r");
}

function exitOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
}

function findProblem(pid: number, output: string, limits: RunLimits): "memory" | "processes" | "files" | undefined {
  const tree = measureTree(pid, limits);
  if (tree !== "fits") return tree;
  try {
    return measureFolder(output, limits) === "fits" ? undefined : "files";
  } catch (error) {
    // What it removes or closes while we look is looked at the next time; what is too deep for a path is too much.
    return (error as NodeJS.ErrnoException).code === "ENAMETOOLONG" ? "files" : undefined;
  }
}

/**
 * In a sandbox the first process of its namespace is ended, and the kernel ends the rest with it, whatever session or parent
 * they have; the sandbox ends after them. Without one, the group, the tree, and what still bears the run's mark.
 */
function killAll(child: ChildProcess, told: string, isSandboxed: boolean, mark: string): void {
  if (child.pid === undefined) return;
  const first = Number(/"child-pid": (\d+)/.exec(told)?.[1] ?? Number.NaN);
  if (isSandboxed) {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    // Who has not begun within a second is ended itself; what it began ends with it.
    if (!isOver && first > 1) kill(first);
    else if (!isOver) setTimeout(() => child.kill("SIGKILL"), 1000).unref();
    return;
  }
  const tree = process.platform === "linux" ? [...listTree(child.pid), ...listMarked(mark)] : [child.pid];
  for (const pid of [-child.pid, ...tree]) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

const names = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** What the sandbox gives as 128 and the signal's number, as shells do. */
function signalOf(code: number | null): string | null {
  return code !== null && code > 128 ? (names.get(code - 128) ?? null) : null;
}
