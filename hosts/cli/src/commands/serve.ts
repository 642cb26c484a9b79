import { SkillError } from "@skillholm/core";
import { startServer } from "@skillholm/server";
import type { Context } from "../context.ts";
import { pageFolder } from "../page-folder.ts";
import { packageVersion } from "../version.ts";

export interface ServeOptions {
  readonly host: string;
  readonly port: string;
  readonly key: boolean;
}

/** The web app and the HTTP API, until somebody ends it. */
export async function runServe({ engine, terminal, json }: Context, options: ServeOptions): Promise<number> {
  const wanted = parsePort(options.port);
  const { host } = options;
  const page = await pageFolder();
  const key = options.key ? "required" : "none";
  const server = await startServer({ engine, page, version: packageVersion(), host, port: wanted, key });
  const { address, port } = server;
  if (wanted !== 0 && port !== wanted) terminal.note(`Port ${wanted} is taken; this is ${port}.`);
  if (json) terminal.print(JSON.stringify({ address, host, port }));
  else terminal.print(`Skillholm is at ${terminal.style("cyan", address)}`);
  await ended();
  await server.close();
  return 0;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SkillError("invalid-input", `--port: "${text}" is no port. It should be a number from 0 to 65535.`);
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
