import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Machine, RunOptions } from "../../hosts/cli/test/command.ts";

/** A project of which RemcoChat's skills are switched on. */
export const switchedOn = { "project/config.toml": "[app.skills]\nenabled = true\n" };

/** A command in this profile, its JSON parsed. */
export async function remcochat<T>(machine: Machine, args: readonly string[], options?: RunOptions): Promise<T> {
  const { json } = await machine.runJson([...args, "--profile", "remcochat"], options);
  return json as T;
}

/** What a tool gives; the fields of a refusal are `error` and `code`. */
export interface Called {
  readonly name?: string;
  readonly frontmatter?: object;
  readonly body?: string;
  readonly path?: string;
  readonly content?: string;
  readonly error?: string;
  readonly code?: string;
}

/** Calls tools one after the other in one process, as a model would. */
export async function callTools(
  machine: Machine,
  calls: readonly (readonly [name: string, input: unknown])[],
  options: RunOptions = {},
): Promise<{ readonly results: readonly Called[]; readonly notes: readonly string[] }> {
  const messages = calls.map(([name, input], id) => message(id, "tools.call", { name, input }));
  const run = { ...options, stdin: messages.join("\n") };
  const { stdout, stderr } = await machine.run(["rpc", "--profile", "remcochat"], run);
  const results = lines(stdout).map((line) => (JSON.parse(line) as { result: Called }).result);
  return { results, notes: lines(stderr) };
}

export const activate = (name: unknown) => ["skills.activate", { name }] as const;
export const readResource = (name: string, path: unknown) => ["skills.readResource", { name, path }] as const;

/** A process that goes on while the disk changes. */
export interface Talk {
  ask(method: string, params?: object): Promise<unknown>;
}

const bin = fileURLToPath(new URL("../../hosts/cli/bin/skillholm.js", import.meta.url));

export function startTalk(machine: Machine, env: Readonly<Record<string, string>> = {}): Talk {
  const child = spawn(process.execPath, [bin, "rpc", "--profile", "remcochat"], {
    cwd: machine.at("project"),
    env: { PATH: process.env.PATH, HOME: machine.at("home"), XDG_STATE_HOME: machine.at("state"), ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  let id = 0;
  return {
    ask: async (method, params = {}) => {
      child.stdin.write(`${message(++id, method, params)}\n`);
      const { value } = await answers.next();
      return (JSON.parse(value as string) as { result: unknown }).result;
    },
  };
}

function message(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Writes down every look at the disk, and the bytes read of each file; loaded before the program. */
export const tracer = `
const fs = require("node:fs");
const { writeFileSync, openSync, readSync } = fs;
const seen = {}, files = new Map();
const note = (path, bytes = 0) => {
  const each = (seen[path] ??= { looks: 0, lists: 0, bytes: 0 });
  each.looks++;
  each.bytes += bytes;
  return each;
};
for (const name of ["statSync", "lstatSync", "existsSync", "realpathSync", "readFileSync", "readdirSync", "opendirSync", "accessSync"]) {
  const own = fs[name];
  fs[name] = Object.assign((path, ...more) => {
    const each = note(String(path));
    if (name === "readdirSync") each.lists++;
    return own(path, ...more);
  }, own);
}
fs.openSync = (path, ...more) => {
  note(String(path));
  const file = openSync(path, ...more);
  files.set(file, String(path));
  return file;
};
fs.readSync = (file, ...more) => {
  const bytes = readSync(file, ...more);
  if (files.has(file)) note(files.get(file), bytes);
  return bytes;
};
require("node:module").syncBuiltinESMExports();
process.on("exit", () => writeFileSync(process.env.TRACE_FILE, JSON.stringify(seen)));
`;

/** What `tracer` wrote, by path. */
export type Trace = Readonly<
  Record<string, { readonly looks: number; readonly lists: number; readonly bytes: number }>
>;
