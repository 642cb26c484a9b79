import { setFlagsFromString } from "node:v8";
import { SkillError } from "@skillholm/core";
import { startServer } from "@skillholm/server";
import type { Context } from "../context.ts";
import { whenNpmEnds } from "../npm-parent.ts";
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
  const wanted = parsePort(options.port ?? String(config.get("server.port")));
  // Back to the default: this process stays.
  setFlagsFromString("--semi-space-growth-factor=2");
  const host = options.host ?? String(config.get("server.host"));
  const page = await pageFolder();
  const key = options.key ? "required" : "none";
  const log = (problem: string, error: Error) => {
    terminal.note(harmless(problem));
    if (context.debug) terminal.note(error.stack ?? "");
  };
  const server = await startServer({ engine, page, version: packageVersion(), host, port: wanted, key, log });
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
    // Not once: a second one, from the terminal and from npm at the same time, must not cut the end short.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    whenNpmEnds(resolve);
  });
}
