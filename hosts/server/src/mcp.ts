import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Engine } from "@skillholm/engine";
import { Hono } from "hono";
import { ApiError, answerError } from "./errors.ts";
import { requireKey } from "./key.ts";
import { addressOf, checkHost, endServer, listen } from "./listen.ts";
import { isLoopback, refuseStrangers, setSafetyHeaders } from "./safety.ts";

export interface McpServerOptions {
  readonly engine: Engine;
  readonly version: string;
  readonly host: string;
  /** 0 takes any; one that is taken is refused, since clients are configured for it. */
  readonly port: number;
  /** `outside`: asked for where others than this machine's users can come in. */
  readonly key: "outside" | "required";
  /** Hears of what clients will not see, and of what nobody foresaw. */
  report(problem: string, error?: Error): void;
}

export interface RunningMcpServer {
  readonly address: string;
  readonly port: number;
  /** The token that clients send, where they have to. */
  readonly key: string | undefined;
  close(): Promise<void>;
}

/** Where clients of MCP find it. */
export const mcpPath = "/mcp";

/** The skills over streamable HTTP, and nothing else. */
export async function startMcpServer(options: McpServerOptions): Promise<RunningMcpServer> {
  const { engine, version, host, report } = options;
  checkHost(host);
  const key = options.key === "outside" && isLoopback(host) ? undefined : await engine.serverKey();
  const service = await engine.mcp({ version, report });
  const app = new Hono();
  app.use(setSafetyHeaders, refuseStrangers(host));
  if (key !== undefined) app.use(requireKey(key));
  app.all(mcpPath, (context) => service.fetch(context.req.raw));
  app.all("*", ({ req }) => {
    throw new ApiError(404, "resource-not-found", `There is nothing at ${req.path}; MCP is at ${mcpPath}.`);
  });
  app.onError((error, context) => answerError(error, context, report));
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const port = await listen(server, host, options.port, 1).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  return {
    address: addressOf(host, port) + mcpPath,
    port,
    key,
    close: () => endServer(server, () => service.close()),
  };
}
