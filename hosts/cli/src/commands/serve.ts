import { setFlagsFromString } from "node:v8";
import { startServer } from "@skillholm/server";
import type { Context } from "../context.ts";
import { parsePort, whenEnded } from "../listening.ts";
import { pageFolder } from "../page-folder.ts";
import { harmless } from "../terminal.ts";
import { packageVersion } from "../version.ts";

export interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly key: boolean;
}

/** The web app and the HTTP API, until somebody ends it. */
export async function runServe(context: Context, options: ServeOptions): Promise<number> {
  const { engine, terminal, json } = context;
  const config = engine.config();
  const wanted = parsePort("--port", options.port ?? String(config.get("server.port")));
  // Back to the default: this process stays.
  setFlagsFromString("--semi-space-growth-factor=2");
  const host = options.host ?? String(config.get("server.host"));
  const page = await pageFolder();
  const key = options.key ? "required" : "none";
  const log = (problem: string, error?: Error) => {
    terminal.note(harmless(problem));
    if (context.debug && error !== undefined) terminal.note(error.stack ?? "");
  };
  const mcpEngine = context.withoutProject();
  const server = await startServer({
    engine,
    mcpEngine,
    page,
    version: packageVersion(),
    host,
    port: wanted,
    key,
    log,
  });
  const { address, port } = server;
  if (wanted !== 0 && port !== wanted) terminal.note(`Port ${wanted} is taken; this is ${port}.`);
  // Who reads the address may end it at once.
  const ended = whenEnded();
  if (json) terminal.print(JSON.stringify({ address, host, port }));
  else terminal.print(`Skillholm is at ${terminal.style("cyan", address)}`);
  await ended;
  await server.close();
  return 0;
}
