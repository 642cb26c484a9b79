import type { Session } from "@skillholm/core/portable";
import { toOpenAiChatTools, toOpenAiTools } from "@skillholm/tools/openai";
import type OpenAI from "openai";
import { prepareAgent } from "./agent.ts";
import type { AgentOptions } from "./agent-options.ts";

export type { AgentOptions } from "./agent-options.ts";

/** What `responses.create` takes, and what answers its calls. */
export interface OpenAiAgent {
  readonly instructions: string;
  readonly tools: OpenAI.Responses.FunctionTool[];
  /** Answers a `function_call` of the output with the item to send back. */
  call(
    item: Pick<OpenAI.Responses.ResponseFunctionToolCall, "call_id" | "name" | "arguments">,
  ): Promise<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>;
}

/** What `chat.completions.create` takes, and what answers its calls. */
export interface OpenAiChatAgent {
  /** For the first message, the system's. */
  readonly instructions: string;
  /** Absent where there are none: the provider refuses an empty list. */
  readonly tools?: OpenAI.Chat.ChatCompletionFunctionTool[];
  /** Answers one of a message's `tool_calls` with the message to send back. */
  call(
    toolCall: Pick<OpenAI.Chat.ChatCompletionMessageFunctionToolCall, "id" | "function">,
  ): Promise<OpenAI.Chat.ChatCompletionToolMessageParam>;
}

/** A session's skills for OpenAI's Responses. */
export async function toOpenAi(session: Session, options?: AgentOptions): Promise<OpenAiAgent> {
  const { instructions, tools } = await prepareAgent(session, options);
  return { instructions, ...toOpenAiTools(tools) };
}

/** A session's skills for OpenAI's Chat Completions, and whoever speaks it. */
export async function toOpenAiChat(session: Session, options?: AgentOptions): Promise<OpenAiChatAgent> {
  const { instructions, tools } = await prepareAgent(session, options);
  return { instructions, ...toOpenAiChatTools(tools) };
}
