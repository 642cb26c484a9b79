import { spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Machine } from "../../hosts/cli/test/command.ts";

const bin = fileURLToPath(new URL("../../hosts/cli/bin/skillholm.js", import.meta.url));

/** A program that goes on and is asked by JSON-RPC, so that files can change between two calls. */
export interface Conversation {
  /** What a tool gives; throws the message of an error of the protocol. */
  call(name: string, input: unknown): Promise<unknown>;
  ask(method: string, params?: object): Promise<unknown>;
}

export interface ConversationOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** As somebody whom a file's mode binds: root is bound by none. */
  readonly unprivileged?: boolean;
}

const nobody = 65_534;

/** Starts `skillholm rpc` in the machine's project; it ends with the test. */
export async function openConversation(
  machine: Machine,
  profile: string,
  { env, unprivileged = false }: ConversationOptions = {},
): Promise<Conversation> {
  const isRoot = process.getuid?.() === 0;
  // What machines lie in is its maker's alone.
  if (unprivileged && isRoot) chmodSync(machine.at(".."), 0o755);
  const folders = {
    HOME: machine.at("home"),
    XDG_STATE_HOME: machine.at("state"),
    XDG_CACHE_HOME: machine.at("../cache"),
  };
  const child = spawn(process.execPath, [bin, "rpc", "--profile", profile], {
    cwd: machine.at("project"),
    env: { PATH: process.env.PATH, ...folders, ...env },
    ...(unprivileged && isRoot && { uid: nobody, gid: nobody }),
  });
  let notes = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    notes += text;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`);
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`it ended: ${notes}`);
    const answer = JSON.parse(value);
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result as unknown;
  };
  // It has looked at the disk once it answers.
  await ask("initialize");
  return { ask, call: (name, input) => ask("tools.call", { name, input }) };
}
