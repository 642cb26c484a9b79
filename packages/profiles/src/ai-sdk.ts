import type { Session } from "@skillholm/core/portable";
import { toAiSdkTools, toAiSdkToolsWithApproval } from "@skillholm/tools/ai-sdk";
import type { SingleToolApprovalFunction, ToolSet } from "ai";
import { prepareAgent } from "./agent.ts";
import type { AgentOptions } from "./agent-options.ts";
import { standard } from "./standard.ts";

export type { AgentOptions } from "./agent-options.ts";

/** A session that can say beforehand which calls a person must be asked about. */
export interface AskingSession extends Session {
  asks?(tool: string, input: unknown): Promise<boolean>;
  /** The same session where a person has said yes to what a rule asks about; what is denied stays denied. */
  approved?(): Session;
}

/** What `generateText`, `streamText` and `ToolLoopAgent` take, to be spread into their options. */
export interface AiSdkAgent {
  readonly instructions: string;
  readonly tools: ToolSet;
  /** Where rules may ask: the call then waits for a person's approval, and runs after it. */
  readonly toolApproval?: Record<string, SingleToolApprovalFunction<unknown, unknown, unknown>>;
}

/** A session's skills for the AI SDK. */
export async function toAiSdk(session: AskingSession, options?: AgentOptions): Promise<AiSdkAgent> {
  const { instructions, tools } = await prepareAgent(session, options);
  const asks = session.asks?.bind(session);
  if (asks === undefined || tools.length === 0) return { instructions, tools: toAiSdkTools(tools) };
  const approved = standard.createTools(session.approved?.() ?? session);
  return { instructions, ...toAiSdkToolsWithApproval(tools, { asks, approved }) };
}
