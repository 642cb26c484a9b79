import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Machine, RunOptions } from "../../hosts/cli/test/command.ts";

const flags = ["--profile", "codelia"];

interface Metadata {
  readonly id: string;
  readonly skill_id: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly dir: string;
  readonly scope: string;
  readonly mtime_ms: number;
}

export interface Loaded {
  readonly ok: boolean;
  readonly error: string | null;
  readonly ambiguous_paths: readonly string[];
  readonly already_loaded: boolean;
  readonly skill: Metadata | null;
  readonly content: string;
  readonly files: readonly string[];
  readonly files_truncated: boolean;
}

export interface Found {
  readonly query: string;
  readonly count: number;
  readonly truncated: boolean;
  readonly results: readonly { readonly score: number; readonly reason: string; readonly skill: Metadata }[];
}

export interface Listed {
  readonly skills: readonly Metadata[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly truncated: boolean;
}

interface Answer<T> {
  readonly id: number;
  readonly result: T;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Loads as a model does, with a person's yes. */
export async function load(on: Machine, input: object, more: readonly string[] = ["--yes"], options?: RunOptions) {
  const args = ["tool", "skill_load", JSON.stringify(input), ...flags, ...more];
  const { status, json } = await on.runJson(args, options);
  return { status, loaded: json as Loaded };
}

export async function search(on: Machine, input: object, options?: RunOptions): Promise<Found> {
  return (await on.runJson(["tool", "skill_search", JSON.stringify(input), ...flags], options)).json as Found;
}

interface Prompt {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
  readonly truncated: boolean;
  readonly turn: { readonly message: string; readonly mentions: readonly object[]; readonly notes: string };
}

export async function prompt(on: Machine, more: readonly string[] = [], options?: RunOptions): Promise<Prompt> {
  return (await on.runJson(["prompt", ...flags, ...more], options)).json as Prompt;
}

/** Sends messages over JSON-RPC, all at once, and gives the answers in order. */
export async function rpc<T = never>(
  on: Machine,
  calls: readonly (readonly [method: string, params: object])[],
  options: RunOptions = {},
  more: readonly string[] = [],
): Promise<readonly Answer<T>[]> {
  const lines = calls.map(([method, params], id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const { stdout } = await on.run(["rpc", ...flags, ...more], { ...options, stdin: lines.join("\n") });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer<T>);
}

/** Calls one tool with each input, in one conversation; a load needs a rule that allows it. */
export async function callAll<T>(
  on: Machine,
  name: string,
  inputs: readonly object[],
  options?: RunOptions,
  more?: readonly string[],
): Promise<readonly T[]> {
  const calls = inputs.map((input) => ["tools.call", { name, input }] as const);
  return (await rpc<T>(on, calls, options, more)).map(({ result }) => result);
}

export async function list(on: Machine, options?: RunOptions): Promise<Listed> {
  const [answer] = await rpc<Listed>(on, [["skills.list", {}]], options);
  return answer?.result ?? { skills: [], errors: [], truncated: false };
}

const bin = fileURLToPath(new URL("../../hosts/cli/bin/skillholm.js", import.meta.url));

/** A conversation over JSON-RPC in which the world may change between two messages. */
export function talk(on: Machine, cwd = "project") {
  const env = { PATH: process.env.PATH, HOME: on.at("home"), XDG_STATE_HOME: on.at("state") };
  const child = spawn(process.execPath, [bin, "rpc", ...flags], {
    cwd: on.at(cwd),
    env: { ...env, XDG_DATA_HOME: on.at("data"), XDG_CACHE_HOME: on.at("cache") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async <T>(method: string, params: object = {}): Promise<T> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
    return (JSON.parse((await lines.next()).value ?? "{}") as Answer<T>).result;
  };
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

function unescapeXml(text: string): string {
  if (/[<>]|&(?!(?:amp|lt|gt|quot);)/.test(text)) throw new Error(`this is no text of XML: ${text}`);
  return text.replace(/&\w+;/g, (entity) => entities[entity] ?? entity);
}

/** Reads one element and nothing around it; throws for what is no XML. */
export function parseXml(text: string): XmlElement {
  interface Open {
    readonly name: string;
    readonly attributes: Record<string, string>;
    readonly children: XmlElement[];
    text: string;
  }
  const document: Open = { name: "", attributes: {}, children: [], text: "" };
  const open: Open[] = [document];
  let at = 0;
  for (const { 0: whole, 1: slash, 2: name = "", 3: given = "", index } of text.matchAll(
    /<(\/?)([a-z_]+)((?: [a-z_]+="[^"<>]*")*)>/g,
  )) {
    const inner = open.at(-1) ?? document;
    inner.text += unescapeXml(text.slice(at, index));
    at = index + whole.length;
    if (slash === "/") {
      if (inner.name !== name || open.length < 2) throw new Error(`</${name}> closes <${inner.name}>`);
      open.pop();
      open.at(-1)?.children.push(inner);
    } else {
      const pairs = [...given.matchAll(/ ([a-z_]+)="([^"]*)"/g)];
      const attributes = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, unescapeXml(value)]));
      open.push({ name, attributes, children: [], text: "" });
    }
  }
  document.text += unescapeXml(text.slice(at));
  const [only, ...more] = document.children;
  if (open.length > 1 || only === undefined || more.length > 0 || document.text.trim() !== "") {
    throw new Error("this is not one element");
  }
  return only;
}
