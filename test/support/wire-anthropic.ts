import type { IncomingHttpHeaders } from "node:http";
import { checkTools, demand, type Json, type WireAnswer, type WireReply } from "./wire-protocol.ts";

/** The Messages protocol. */
export function speakMessages(body: Json, headers: IncomingHttpHeaders): WireAnswer {
  demand(headers["anthropic-version"] !== undefined, "anthropic-version: header is required");
  demand(typeof body.model === "string", "model: Field required");
  demand(Number.isInteger(body.max_tokens), "max_tokens: Field required");
  const tools = ((body.tools ?? []) as Json[]).map(({ name, input_schema }) => ({ name, schema: input_schema }));
  const names = checkTools(tools, /^[a-zA-Z0-9_-]{1,128}$/);
  const messages = body.messages as Json[];
  demand(Array.isArray(messages) && messages.length > 0, "messages: at least one message is required");
  const results = messages.flatMap((message, index) => checkResults(message, messages[index - 1], index));
  checkAnswered(messages);
  const request = { instructions: String(body.system ?? ""), tools: names, results };
  return { request, answer: (reply) => messageOf(reply, messages.length, body) };
}

function blocks(message: Json | undefined, type: string): readonly Json[] {
  return Array.isArray(message?.content) ? message.content.filter((block: Json) => block.type === type) : [];
}

function checkResults(message: Json, before: Json | undefined, index: number) {
  const ids = blocks(before, "tool_use").map(({ id }) => id);
  return blocks(message, "tool_result").map(({ tool_use_id, content, is_error }) => {
    demand(message.role === "user", `messages.${index}: tool_result blocks can only be in user messages`);
    demand(
      ids.includes(tool_use_id),
      `messages.${index}: unexpected tool_use_id in tool_result blocks: ${tool_use_id}`,
    );
    demand(content !== "" || is_error !== true, "content cannot be empty if is_error is true");
    return { text: String(content), isError: is_error === true };
  });
}

function checkAnswered(messages: readonly Json[]): void {
  for (const [index, message] of messages.entries()) {
    const answered = blocks(messages[index + 1], "tool_result").map(({ tool_use_id }) => tool_use_id);
    for (const { id } of blocks(message, "tool_use")) {
      demand(
        answered.includes(id),
        `messages.${index}: tool_use ids without tool_result blocks immediately after: ${id}`,
      );
    }
  }
}

function messageOf(reply: WireReply, seed: number, { model }: Json): object {
  const content =
    "text" in reply
      ? [{ type: "text", text: reply.text, citations: null }]
      : reply.calls.map(({ name, input }, index) => ({ type: "tool_use", id: `toolu_${seed}_${index}`, name, input }));
  const stop_reason = "text" in reply ? "end_turn" : "tool_use";
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    id: `msg_${seed}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
}
