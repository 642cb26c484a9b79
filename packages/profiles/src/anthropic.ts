import type Anthropic from "@anthropic-ai/sdk";
import type { Session } from "@skillholm/core/portable";
import { toAnthropicTools } from "@skillholm/tools/anthropic";
import { prepareAgent } from "./agent.ts";
import type { AgentOptions } from "./agent-options.ts";

export type { AgentOptions } from "./agent-options.ts";

/** What `messages.create` takes, and what answers its calls. */
export interface AnthropicAgent {
  readonly system: string;
  readonly tools: Anthropic.Tool[];
  /** Answers a `tool_use` block of the content with the block to send back. */
  call(block: Pick<Anthropic.ToolUseBlock, "id" | "name" | "input">): Promise<Anthropic.ToolResultBlockParam>;
}

/** A session's skills for Anthropic's Messages. */
export async function toAnthropic(session: Session, options?: AgentOptions): Promise<AnthropicAgent> {
  const { instructions, tools } = await prepareAgent(session, options);
  return { system: instructions, ...toAnthropicTools(tools) };
}
