import { type Chats, type Engine, listSkills } from "@skillholm/engine";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { ApiError, answerError } from "./errors.ts";
import { requireKey } from "./key.ts";
import type { Page } from "./page.ts";
import { refuseStrangers, setSafetyHeaders } from "./safety.ts";

export interface AppOptions {
  readonly engine: Engine;
  chats(): Promise<Chats>;
  readonly page: Page;
  readonly version: string;
  /** The name or address that was listened on. */
  readonly host: string;
  /** Absent: everybody on this machine may ask. */
  readonly key?: string;
}

// A message of a person; more than anybody types.
const mostBytes = 1024 * 1024;

/** The HTTP API and the page. */
export function createApp({ engine, chats, page, version, host, key }: AppOptions): Hono {
  const app = new Hono();
  app.use(setSafetyHeaders, refuseStrangers(host));
  app.get("/api/health", (context) => context.json({ ok: true }));
  if (key !== undefined) app.use(requireKey(key));
  app.use("/api/*", bodyLimit({ maxSize: mostBytes, onError: tooLarge }));

  app.get("/api/info", (context) => context.json({ version, model: engine.model, project: engine.project }));
  app.get("/api/skills", async (context) => {
    await engine.freshSkills();
    const { skills, hidden, ...rest } = await listSkills(engine);
    return context.json({ skills: [...skills], hidden: [...hidden], ...rest });
  });
  app.get("/api/chats", async (context) => context.json({ chats: await (await chats()).list() }));
  app.get("/api/chats/:id", async (context) => context.json(await (await chats()).get(context.req.param("id"))));
  app.post("/api/chats/:id/messages", async (context) => {
    const message = await readMessage(context);
    const stream = await (await chats()).send(context.req.param("id"), message);
    const { createUIMessageStreamResponse } = await import("ai");
    return createUIMessageStreamResponse({ stream });
  });
  app.all("/api/*", (context) => {
    throw new ApiError(404, "resource-not-found", `There is nothing at ${context.req.method} ${context.req.path}.`);
  });
  app.get("*", (context) => page.answer(context.req.path));
  app.onError(answerError);
  return app;
}

const messageSchema = z.object({ id: z.string(), text: z.string() });

async function readMessage(context: Context): Promise<z.infer<typeof messageSchema>> {
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
    throw new ApiError(415, "invalid-input", "The body should be JSON, with the content type application/json.");
  }
  const body: unknown = await context.req.json().catch(() => undefined);
  const parsed = messageSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError(400, "invalid-input", 'The body should be {"id": "…", "text": "…"}.');
}

function tooLarge(): never {
  throw new ApiError(413, "invalid-input", `The message is too long: ${mostBytes} bytes is the most.`);
}
