import { type Chats, type Engine, listSkills } from "@skillholm/engine";
import type { McpService } from "@skillholm/mcp";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ApiError, answerError } from "./errors.ts";
import { requireKey } from "./key.ts";
import { mcpPath } from "./mcp.ts";
import type { Page } from "./page.ts";
import { refuseStrangers, setSafetyHeaders } from "./safety.ts";

export interface AppOptions {
  readonly engine: Engine;
  chats(): Promise<Chats>;
  mcp(): Promise<McpService>;
  readonly page: Page;
  readonly version: string;
  /** The name or address that was listened on. */
  readonly host: string;
  /** Absent: everybody on this machine may ask. */
  readonly key?: string;
  log(problem: string, error?: Error): void;
}

// A message of a person; more than anybody types.
const mostBytes = 1024 * 1024;

/** The HTTP API and the page. */
export function createApp({ engine, chats, mcp, page, version, host, key, log }: AppOptions): Hono {
  const app = new Hono();
  app.use(setSafetyHeaders, refuseStrangers(host));
  app.get("/api/health", (context) => context.json({ ok: true }));
  if (key !== undefined) app.use(requireKey(key));
  app.use("/api/*", bodyLimit({ maxSize: mostBytes, onError: tooLarge }));

  app.get("/api/info", async (context) => {
    const { model, project } = engine;
    return context.json({ version, model, project, unsandboxed: await engine.isUnsandboxed() });
  });
  app.get("/api/skills", async (context) => {
    await engine.freshSkills();
    const { skills, hidden, ...rest } = await listSkills(engine);
    return context.json({ skills: [...skills], hidden: [...hidden], ...rest });
  });
  app.get("/api/chats", async (context) => context.json({ chats: await (await chats()).list() }));
  app.get("/api/chats/:id", async (context) => context.json(await (await chats()).get(context.req.param("id"))));
  app.post("/api/chats/:id/messages", async (context) => {
    const { sendMessage } = await import("./send-message.ts");
    return sendMessage(context, await chats(), context.req.param("id"));
  });
  let rpc: ReturnType<Engine["rpc"]> | undefined;
  app.post("/api/rpc", async (context) => {
    rpc ??= engine.rpc(version, "many");
    rpc.catch(() => {
      rpc = undefined;
    });
    const answer = await (await rpc)(await context.req.text());
    return answer === undefined ? context.body(null, 204) : context.json(JSON.parse(answer));
  });
  app.all("/api/*", (context) => {
    throw new ApiError(404, "resource-not-found", `There is nothing at ${context.req.method} ${context.req.path}.`);
  });
  // Loaded with the first client.
  app.all(mcpPath, async (context) => (await mcp()).fetch(context.req.raw));
  app.get("*", (context) => page.answer(context.req.path));
  app.onError((error, context) => answerError(error, context, log));
  return app;
}

function tooLarge(): never {
  throw new ApiError(413, "invalid-input", `The message is too long: ${mostBytes} bytes is the most.`);
}
