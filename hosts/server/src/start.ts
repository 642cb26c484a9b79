import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { SkillError } from "@skillholm/core";
import type { Chats, Engine } from "@skillholm/engine";
import type { McpService } from "@skillholm/mcp";
import { createApp } from "./app.ts";
import { addressOf, checkHost, endServer, listen } from "./listen.ts";
import { openPage } from "./page.ts";
import { isLoopback } from "./safety.ts";

export interface ServerOptions {
  readonly engine: Engine;
  /** Whose skills clients of MCP get; the same unless given. */
  readonly mcpEngine?: Engine;
  /** The folder of the built page. */
  readonly page: string;
  readonly version: string;
  readonly host: string;
  /** The first to try; 0 takes any. */
  readonly port: number;
  /** `none`: everybody on this machine may ask. */
  readonly key: "required" | "none";
  /** Hears of what nobody foresaw. */
  log(problem: string, error?: Error): void;
}

export interface RunningServer {
  /** What to open in a browser, with the key. */
  readonly address: string;
  readonly port: number;
  /** Ends when the running answers are kept. */
  close(): Promise<void>;
}

/** Starts the web app and its API. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { engine, version, host, log } = options;
  checkHost(host);
  if (options.key === "none" && !isLoopback(host)) {
    throw new SkillError("invalid-input", `--no-key works only on this machine, and ${host} is open to others.`);
  }
  const key = options.key === "none" ? undefined : await engine.serverKey();
  let opened: Promise<Chats> | undefined;
  const chats = () => {
    opened ??= engine.chats();
    // What failed once may work later: the database was busy, or has been mended.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  let service: Promise<McpService> | undefined;
  const mcp = () => {
    service ??= (options.mcpEngine ?? engine).mcp({ version, report: (problem) => log(problem) });
    return service;
  };
  const page = openPage(options.page);
  const app = createApp({ engine, chats, mcp, page, version, host, log, ...(key && { key }) });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const port = await listen(server, host, options.port);
  // Ahead of the first question; what goes wrong is said when somebody asks.
  void engine
    .skills()
    .then((skills) => skills.prepareSearch())
    .catch(() => undefined);
  const stopWatch = engine.watch();
  return {
    address: `${addressOf(host, port)}/${key === undefined ? "" : `?key=${key}`}`,
    port,
    close: async () => {
      stopWatch();
      await endServer(server, async () => {
        await service?.then((each) => each.close());
        await opened?.then((each) => each.close()).catch(() => undefined);
      });
    },
  };
}
