import type { Session } from "@skillholm/core/portable";
import { toAiSdkTools, toAiSdkToolsWithApproval } from "@skillholm/tools/ai-sdk";
import type { SingleToolApprovalFunction, ToolSet } from "ai";
import { prepareAgent } from "./agent.ts";
import type { AgentOptions } from "./agent-options.ts";
import { operationOf } from "./policies.ts";
import { standard } from "./standard.ts";

export type { AgentOptions } from "./agent-options.ts";

/** What `generateText`, `streamText` and `ToolLoopAgent` take, to be spread into their options. */
export interface AiSdkAgent {
  readonly instructions: string;
  readonly tools: ToolSet;
  /** Where rules may ask: the call then waits for a person's approval, and runs after it. */
  readonly toolApproval?: Record<string, SingleToolApprovalFunction<unknown, unknown, unknown>>;
}

/** A session's skills for the AI SDK. */
export async function toAiSdk(session: Session, options?: AgentOptions): Promise<AiSdkAgent> {
  const { instructions, tools } = await prepareAgent(session, options);
  const { asks } = session;
  if (asks === undefined || tools.length === 0) return { instructions, tools: toAiSdkTools(tools) };
  const approved = (options?.profile ?? standard).createTools(session.approved());
  return {
    instructions,
    ...toAiSdkToolsWithApproval(tools, { asks: (tool, input) => asks(operationOf(tool), input), approved }),
  };
}
