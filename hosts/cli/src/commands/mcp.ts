import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { SkillError } from "@skillholm/core";
import type { Context } from "../context.ts";
import { parsePort, whenEnded } from "../listening.ts";
import { harmless } from "../terminal.ts";
import { packageVersion } from "../version.ts";
import { printConfig } from "./mcp-config.ts";

export interface McpCommandOptions {
  readonly http?: string;
  readonly host?: string;
  readonly key?: boolean;
  readonly printConfig?: string;
}

/** The skills for any client of MCP: on standard input and output, or over HTTP. */
export async function runMcp(context: Context, options: McpCommandOptions): Promise<number> {
  const { http, host = "127.0.0.1", key, printConfig: client } = options;
  if (http === undefined && (options.host !== undefined || key)) {
    throw new SkillError("invalid-input", "--host and --key are for --http PORT.");
  }
  const port = http === undefined ? undefined : parsePort("--http", http);
  if (client !== undefined) return printConfig(context, client, port === undefined ? undefined : { host, port });
  // Back to the default: this process stays.
  setFlagsFromString("--semi-space-growth-factor=2");
  return port === undefined ? serveInput(context) : serveHttp(context, host, port, key ? "required" : "outside");
}

// Who closes the input and still waits for an answer gets it, within reason.
const answerMs = 10_000;

/** Nothing but messages goes to the standard output. Ends with the input. */
async function serveInput({ engine, terminal }: Context): Promise<number> {
  const report = (problem: string) => terminal.note(`skillholm: ${harmless(problem)}`);
  const service = await engine.mcp({ version: packageVersion(), report });
  const input = new PassThrough();
  const served = service.serve(input, process.stdout);
  process.stdin.pipe(input, { end: false });
  const ends = [once(process.stdin, "end"), once(process.stdin, "close"), once(process.stdout, "close")];
  // A pipe that breaks is an end like any other.
  await Promise.race(ends).catch(() => undefined);
  // What was read last is on its way through the pipe.
  await setTimeout(0);
  await Promise.race([served.answered(), setTimeout(answerMs, undefined, { ref: false })]);
  await served.close();
  await service.close();
  return 0;
}

async function serveHttp(context: Context, host: string, port: number, key: "outside" | "required"): Promise<number> {
  const { terminal, json } = context;
  const { startMcpServer } = await import("@skillholm/server");
  const report = (problem: string, error?: Error) => {
    terminal.note(`skillholm: ${harmless(problem)}`);
    if (context.debug && error !== undefined) terminal.note(error.stack ?? "");
  };
  const engine = context.withoutProject();
  const server = await startMcpServer({ engine, version: packageVersion(), host, port, key, report });
  const { address, key: token } = server;
  // Who reads the address may end it at once.
  const ended = whenEnded();
  if (json) terminal.print(JSON.stringify({ address, host, port: server.port, ...(token && { token }) }));
  else terminal.print(`Skillholm's MCP server is at ${terminal.style("cyan", address)}`);
  if (token !== undefined && !json) terminal.print(`Clients send: Authorization: Bearer ${token}`);
  await ended;
  await server.close();
  return 0;
}
