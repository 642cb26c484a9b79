import type { UIMessage, UIMessageChunk } from "ai";

/** One message of a conversation, as pages draw it. */
export type ChatMessage = UIMessage;

/** A piece of an answer on its way. */
export type ChatChunk = UIMessageChunk;

/** What a person says. */
export function personMessage(id: string, text: string): ChatMessage {
  return { id, role: "user", parts: [{ type: "text", text }] };
}
