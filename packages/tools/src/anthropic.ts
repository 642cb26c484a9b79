import type Anthropic from "@anthropic-ai/sdk";
import type { SkillTool } from "./skill-tool.ts";
import { callByName } from "./wire-call.ts";
import { nameForWire } from "./wire-name.ts";

type ToolUse = Pick<Anthropic.ToolUseBlock, "id" | "name" | "input">;

/** The tools for `messages.create`, and what answers one `tool_use` block of its content. */
export function toAnthropicTools(skillTools: readonly SkillTool[]) {
  const named = nameForWire(skillTools);
  const tools = [...named].map(([name, tool]): Anthropic.Tool => {
    return { name, description: tool.description, input_schema: { type: "object", ...tool.inputSchema } };
  });
  const call = async ({ id, name, input }: ToolUse): Promise<Anthropic.ToolResultBlockParam> => {
    const { text, isError } = await callByName(named, name, input);
    return { type: "tool_result", tool_use_id: id, content: text, is_error: isError };
  };
  return { tools, call };
}
