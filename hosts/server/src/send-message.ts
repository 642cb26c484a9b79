import type { Chats } from "@skillholm/engine";
import { createUIMessageStreamResponse } from "ai";
import type { Context } from "hono";
import { z } from "zod";
import { ApiError } from "./errors.ts";

const messageSchema = z.object({ id: z.string(), text: z.string() });

/** Takes what a person says and streams the answer. Loaded with the first message, so that the page comes sooner. */
export async function sendMessage(context: Context, chats: Chats, id: string): Promise<Response> {
  const stream = await chats.send(id, await readMessage(context));
  return createUIMessageStreamResponse({ stream });
}

async function readMessage(context: Context): Promise<z.infer<typeof messageSchema>> {
  if (!/^application\/json\s*(;|$)/i.test(context.req.header("content-type") ?? "")) {
    throw new ApiError(415, "invalid-input", "The body should be JSON, with the content type application/json.");
  }
  const body: unknown = await context.req.json().catch(() => undefined);
  const parsed = messageSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError(400, "invalid-input", 'The body should be {"id": "…", "text": "…"}.');
}
