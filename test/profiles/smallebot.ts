import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Machine } from "../../hosts/cli/test/command.ts";

const bin = fileURLToPath(new URL("../../hosts/cli/bin/skillholm.js", import.meta.url));

/** Runs something when it is first asked for, and never again. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

export async function promptOf(on: Machine, ...args: string[]): Promise<{ readonly text: string }> {
  return (await on.runJson(["prompt", "--profile", "smallebot", ...args])).json as { text: string };
}

/** What ReadFile gives a model. */
export async function callIn(on: Machine, path: string, ...args: string[]) {
  const input = JSON.stringify({ path });
  const { status, json } = await on.runJson(["tool", "ReadFile", input, "--profile", "smallebot", ...args]);
  return { status, text: json as string };
}

interface RpcOptions {
  readonly profile?: string;
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that goes on, asked one message after the other; ends with the test. */
export function openRpc(on: Machine, { profile = "smallebot", cwd = "project", args = [], env = {} }: RpcOptions = {}) {
  const child = spawn(process.execPath, [bin, "rpc", "--profile", profile, ...args], {
    cwd: on.at(cwd),
    env: {
      PATH: process.env.PATH,
      HOME: on.at("home"),
      XDG_STATE_HOME: on.at("state"),
      XDG_DATA_HOME: on.at("data"),
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let id = 0;
  return async (method: string, params: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`);
    const { value } = await lines.next();
    const answer = JSON.parse(value ?? "null") as { id: number; result?: unknown; error?: { message: string } };
    if (answer?.id !== id || answer.error !== undefined) throw new Error(`${method}: ${value}`);
    return answer.result;
  };
}

const toOption = (code: string) => ["--import", `data:text/javascript,${encodeURIComponent(code)}`];

const trap = `
  import net from "node:net";
  import programs from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  const end = () => process.exit(97);
  net.Socket.prototype.connect = end;
  for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) programs[name] = end;
  syncBuiltinESMExports();
`;

/** Ends a program with 97 as soon as it calls anybody or starts anything; \`control\` shows that it does. */
export const trapOutside = {
  options: toOption(trap),
  control: () =>
    ['require("node:net").connect(1)', 'require("node:child_process").spawn("true")'].map((code) => {
      return spawnSync(process.execPath, [...toOption(trap), "-e", code]).status;
    }),
};

const recorder = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { openSync, readSync, readFileSync, writeFileSync } = fs;
  const opened = [];
  const ours = new Set();
  let bytes = 0;
  fs.openSync = (path, ...rest) => {
    opened.push(String(path));
    const handle = openSync(path, ...rest);
    if (String(path).startsWith(process.env.WATCHED)) ours.add(handle);
    else ours.delete(handle);
    return handle;
  };
  fs.readSync = (handle, ...rest) => {
    const count = readSync(handle, ...rest);
    if (ours.has(handle)) bytes += count;
    return count;
  };
  fs.readFileSync = (path, ...rest) => {
    opened.push(String(path));
    return readFileSync(path, ...rest);
  };
  process.on("exit", () => writeFileSync(process.env.RECORD, JSON.stringify({ opened, bytes })));
  syncBuiltinESMExports();
`;

/** The files that a command opens, and how many bytes it reads of those on the machine. */
export async function recordFiles(
  on: Machine,
  args: readonly string[],
): Promise<{ readonly opened: readonly string[]; readonly bytes: number }> {
  const env = { RECORD: on.at("record.json"), WATCHED: on.at("project") };
  await on.run(args, { node: toOption(recorder), env });
  return JSON.parse(readFileSync(env.RECORD, "utf8"));
}
