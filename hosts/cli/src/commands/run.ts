import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type PermissionAnswer, type PermissionRequest, type ScriptFile, SkillError } from "@skillholm/core";
import type { RunReport } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { parseAnswer, readMessages } from "../request.ts";
import { forOutput, plain } from "../terminal.ts";

export interface RunOptions {
  readonly timeout?: string;
  readonly yes?: boolean;
  readonly remember?: string;
  readonly input?: readonly string[];
  readonly output?: string;
  readonly grant?: readonly string[];
  readonly session?: string;
}

/** Runs one script of a skill; 1 where it did not end well. */
export async function runRun(
  context: Context,
  name: string,
  script: string,
  args: readonly string[],
  options: RunOptions,
): Promise<number> {
  const { engine, terminal } = context;
  const answer = parseAnswer(options);
  const request = {
    args,
    inputs: (options.input ?? []).map((path) => readInput(resolve(engine.cwd, path))),
    timeoutMs: parseSeconds(options.timeout),
    ...(options.grant && { grants: options.grant.map((grant) => toAbsolute(grant, engine.cwd)) }),
    // What is piped into the command is the script's to read; a terminal is not.
    ...(!process.stdin.isTTY && { stdin: { handle: 0 } }),
    ...(answer === undefined && process.stdin.isTTY && process.stderr.isTTY && { ask: askPerson }),
    ...readMessages(options, engine.cwd),
    answer,
  };
  const reference = toReference(await context.skills(), name, engine.cwd);
  const report = await untilInterrupted((signal) => engine.run(reference, script, { ...request, signal }));
  if (options.output !== undefined) writeFiles(resolve(engine.cwd, options.output), report.files);
  if (context.json) await terminal.printJson(report.output);
  else printReport(context, report, options.output);
  return report.output.failure === undefined ? 0 : 1;
}

function printReport({ terminal }: Context, { output, files }: RunReport, place: string | undefined): void {
  const { stdout, stderr, failure, truncated, sandbox } = output;
  if (stdout !== "") terminal.print(forOutput(terminal, stdout.replace(/\n$/, "")));
  if (stderr !== "") terminal.note(forOutput(terminal, stderr.replace(/\n$/, "")));
  if (truncated) terminal.note("Its output was cut at a limit.");
  if (sandbox === "none") terminal.note("It ran without a sandbox, since skills.sandbox says so.");
  if (failure !== undefined) terminal.note(`${failure.message} (${failure.code})`);
  const where = place === undefined ? "; --output DIR keeps them" : ` in ${plain(place)}`;
  if (files.length > 0) terminal.note(`It left ${files.map(({ path }) => plain(path)).join(", ")}${where}.`);
}

/** Who breaks the command off breaks the script off, and nothing is left behind. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, abort);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}

async function askPerson({ skill, script }: PermissionRequest): Promise<PermissionAnswer> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const facts = {
      skill: `${skill?.name} (${skill?.dir})`,
      script: [script?.script ?? "", ...(script?.args ?? []).map((each) => JSON.stringify(each))].join(" "),
      "run with": `${script?.interpreter}, in ${script?.sandbox === "none" ? "NO SANDBOX" : script?.sandbox}`,
      "may touch": script?.touches.join("; ") ?? "",
      files: `sha256 ${script?.digest}; the script ${script?.hash}`,
    };
    for (const [key, value] of Object.entries(facts)) process.stderr.write(`${key.padEnd(10)} ${plain(value)}\n`);
    const said = (await lines.question("Run it? [y]es, [a]lways while its files are the same, [N]o ")).trim();
    return /^a/i.test(said) ? "always" : /^y/i.test(said);
  } finally {
    lines.close();
  }
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== "" && seconds > 0 && seconds <= 600) return Math.round(seconds * 1000);
  throw new SkillError("invalid-input", `--timeout: "${text}" should be a number of seconds, up to 600.`);
}

/** A regular file; what never ends or never answers is none. */
function readInput(path: string): ScriptFile {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new SkillError("invalid-input", `--input: ${path} cannot be read (${(error as Error).message}).`);
  }
  try {
    if (!fstatSync(handle).isFile()) throw new SkillError("invalid-input", `--input: ${path} is no regular file.`);
    return { path: basename(path), content: readFileSync(handle) };
  } finally {
    closeSync(handle);
  }
}

function toAbsolute(grant: string, cwd: string): string {
  const [, kind, path] = /^(read|write):(.+)$/s.exec(grant) ?? [];
  return kind === undefined || path === undefined ? grant : `${kind}:${resolve(cwd, path)}`;
}

/** What a script left has names without detours: they were made from a folder's own. */
function writeFiles(folder: string, files: readonly ScriptFile[]): void {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
