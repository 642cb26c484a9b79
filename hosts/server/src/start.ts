import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { SkillError } from "@skillholm/core";
import type { Chats, Engine } from "@skillholm/engine";
import { createApp } from "./app.ts";
import { openPage } from "./page.ts";
import { isLoopback } from "./safety.ts";

export interface ServerOptions {
  readonly engine: Engine;
  /** The folder of the built page. */
  readonly page: string;
  readonly version: string;
  readonly host: string;
  /** The first to try; 0 takes any. */
  readonly port: number;
  /** `none`: everybody on this machine may ask. */
  readonly key: "required" | "none";
  /** Hears of what nobody foresaw. */
  log(problem: string, error: Error): void;
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
  // Node takes an empty name for every address there is.
  if (host === "")
    throw new SkillError("invalid-input", "--host is empty. It should be a name or address, as 127.0.0.1.");
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
  const app = createApp({ engine, chats, page: openPage(options.page), version, host, log, ...(key && { key }) });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const port = await listen(server, host, options.port);
  // Ahead of the first question; what goes wrong is said when somebody asks.
  void engine
    .skills()
    .then((skills) => skills.prepareSearch())
    .catch(() => undefined);
  const stopWatch = engine.watch();
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    address: `http://${name}:${port}/${key === undefined ? "" : `?key=${key}`}`,
    port,
    close: async () => {
      stopWatch();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await opened?.then((each) => each.close()).catch(() => undefined);
      // Who still reads the end of an answer gets a moment.
      await Promise.race([closed, setTimeout(graceMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

const graceMs = 1000;
const attempts = 20;

/** Listens on the port, or on the next one that is free. */
async function listen(server: Server, host: string, wanted: number): Promise<number> {
  for (let port = wanted; ; port++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(port, host, resolve);
      });
      server.removeAllListeners("error");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      server.removeAllListeners("error");
      const { code, message } = error as NodeJS.ErrnoException;
      const last = wanted === 0 || port === 65_535 || port - wanted === attempts - 1;
      if (code !== "EADDRINUSE" || last) {
        const ports = port === wanted ? `${wanted}` : `${wanted} to ${port}`;
        throw new SkillError("unavailable", `Cannot listen on ${host}, port ${ports}: ${message}.`);
      }
    }
  }
}
