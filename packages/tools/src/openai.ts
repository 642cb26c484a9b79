import type OpenAI from "openai";
import type { SkillTool } from "./skill-tool.ts";
import { callWithJson } from "./wire-call.ts";
import { nameForWire } from "./wire-name.ts";

type FunctionCall = Pick<OpenAI.Responses.ResponseFunctionToolCall, "call_id" | "name" | "arguments">;
type FunctionCallOutput = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;
type ChatCall = Pick<OpenAI.Chat.ChatCompletionMessageFunctionToolCall, "id" | "function">;
type ChatTool = OpenAI.Chat.ChatCompletionFunctionTool;

// Strict schemas have no optional inputs, and these do.
const strict = false;

/** The tools for `responses.create`, and what answers one `function_call` of its output. */
export function toOpenAiTools(skillTools: readonly SkillTool[]) {
  const named = nameForWire(skillTools);
  const tools = [...named].map(([name, tool]): OpenAI.Responses.FunctionTool => {
    return { type: "function", name, description: tool.description, parameters: tool.inputSchema, strict };
  });
  const call = async ({ call_id, name, arguments: json }: FunctionCall): Promise<FunctionCallOutput> => {
    return { type: "function_call_output", call_id, output: (await callWithJson(named, name, json)).text };
  };
  return { tools, call };
}

/** The tools for `chat.completions.create`, and what answers one of a message's `tool_calls`. */
export function toOpenAiChatTools(skillTools: readonly SkillTool[]) {
  const named = nameForWire(skillTools);
  const tools = [...named].map(([name, tool]): ChatTool => {
    const { description } = tool;
    return { type: "function", function: { name, description, parameters: tool.inputSchema, strict } };
  });
  const call = async ({ id, function: { name, arguments: json } }: ChatCall) => {
    const { text } = await callWithJson(named, name, json);
    return { role: "tool", tool_call_id: id, content: text } satisfies OpenAI.Chat.ChatCompletionToolMessageParam;
  };
  // The provider refuses an empty list.
  return tools.length === 0 ? { call } : { tools, call };
}
