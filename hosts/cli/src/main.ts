import { setFlagsFromString } from "node:v8";
import { SkillError } from "@skillholm/core";
import { CommanderError } from "commander";
import { type Context, createContext, type GlobalOptions } from "./context.ts";
import { createProgram } from "./program.ts";
import { harmless } from "./terminal.ts";
import { packageVersion } from "./version.ts";

/** Runs the command line; the exit status is 0 done, 1 a negative answer, 2 wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  // A short-lived process gains nothing from a growing nursery, and this keeps ten thousand skills within 120 MB.
  setFlagsFromString("--semi-space-growth-factor=1");
  const options = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const json = options.includes("--json");
  const debug = options.includes("--debug");
  const run = async (options: GlobalOptions, command: (context: Context) => Promise<number>) => {
    const status = await command(createContext(options));
    // What could not be written was not done.
    process.exitCode ||= status;
  };
  process.stdout.on("error", endOfOutput);
  process.stderr.on("error", endOfOutput);
  try {
    await createProgram(packageVersion(), run).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = fail(error, json, debug);
  }
}

function fail(error: unknown, json: boolean, debug: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const known = error instanceof SkillError ? error : asUsage(error);
  const code = known?.code ?? "unavailable";
  const message = known?.message ?? `Something went wrong: ${(error as Error).message}`;
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message, ...known?.details } }, null, 2)}\n`);
  else process.stderr.write(`skillholm: ${lines(message)}\n`);
  if (debug) process.stderr.write(`${lines((error as Error).stack ?? "")}\n`);
  return code === "invalid-input" ? 2 : 1;
}

function lines(text: string): string {
  return text.split("\n").map(harmless).join("\n");
}

function asUsage(error: unknown): SkillError | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === "commander.help")
    return new SkillError("invalid-input", "There is no such command. See: skillholm --help");
  return new SkillError("invalid-input", `${error.message.replace(/^error: /, "")}\nSee: skillholm --help`);
}

// `skillholm list | head` closes the pipe early, which is no error; a full disk is one.
function endOfOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  process.exitCode = 1;
  process.stderr.write(`skillholm: cannot write the output: ${error.message}\n`);
}
