import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Interpreter, SkillError } from "@skillholm/core";

/** What an interpreter is called, by the name in a first line. */
interface Known {
  readonly programs: readonly string[];
  /** Before the script, where the first line gives nothing. */
  readonly args: readonly string[];
}

const known: Readonly<Record<string, Known>> = {
  sh: { programs: ["sh"], args: [] },
  bash: { programs: ["bash"], args: [] },
  python: { programs: ["python3", "python"], args: [] },
  node: { programs: [], args: [] },
  // The sandbox is what holds it in, so that its own permissions only stand in the way.
  deno: { programs: ["deno"], args: ["run", "--allow-all"] },
  bun: { programs: ["bun"], args: ["run"] },
  ruby: { programs: ["ruby"], args: [] },
  perl: { programs: ["perl"], args: [] },
};

const endings: Readonly<Record<string, string>> = {
  sh: "sh",
  bash: "bash",
  py: "python",
  js: "node",
  mjs: "node",
  cjs: "node",
  ts: "node",
  mts: "node",
  cts: "node",
  rb: "ruby",
  pl: "perl",
};

const others: Readonly<Record<string, string>> = { nodejs: "node", tsx: "node", "ts-node": "node" };

/** By the first line, else by the ending; the program comes from the system's folders, whatever path the line gives. */
export function chooseInterpreter(script: string, start: Uint8Array, folders: readonly string[]): Interpreter {
  const line = readFirstLine(start);
  const [called = "", ...flags] = line ?? [];
  const ending = script.slice(script.lastIndexOf(".") + 1).toLowerCase();
  const name = line === undefined ? (endings[ending] ?? "") : nameOf(called);
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  if (found === undefined) throw noInterpreter(script, called);
  const path = name === "node" ? ownNode() : findProgram(found.programs, folders);
  if (path === undefined) {
    const where = `It is looked for in ${folders.join(", ") || "no folder"}.`;
    throw new SkillError("unavailable", `"${script}" needs ${name}, which is not installed. ${where}`, { needs: name });
  }
  return { name, path, args: flags.length > 0 ? flags : found.args };
}

/** The words after `#!`, without the path of the first and without `env`. */
function readFirstLine(start: Uint8Array): readonly string[] | undefined {
  const text = new TextDecoder().decode(start.subarray(0, 512));
  const line = /^#!([^\n\r]*)/.exec(text)?.[1]?.trim();
  if (line === undefined) return undefined;
  const [program = "", ...words] = line.split(/\s+/);
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (name !== "env") return [name, ...words];
  const rest = words[0] === "-S" ? words.slice(1) : words;
  const [called = "", ...flags] = rest;
  return [called.slice(called.lastIndexOf("/") + 1), ...flags];
}

function nameOf(called: string): string {
  if (/^python(\d(\.\d+)?)?$/.test(called)) return "python";
  return others[called] ?? called;
}

function noInterpreter(script: string, called: string): SkillError {
  const names = Object.keys(known).join(", ");
  const found = called === "" ? "neither its first line nor its ending says how" : `its first line says "${called}"`;
  return new SkillError("script-not-allowed", `"${script}" cannot be run: ${found}. Known: ${names}.`);
}

/** Of every run the one that runs us: it is there, and it is known to be recent enough for TypeScript. */
function ownNode(): string {
  return realpathSync(process.execPath);
}

/** The first of some programs that a folder holds. */
export function findProgram(programs: readonly string[], folders: readonly string[]): string | undefined {
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path));
}
