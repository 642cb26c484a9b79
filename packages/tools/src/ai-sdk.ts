import { type JSONSchema7, jsonSchema, type SingleToolApprovalFunction, type ToolSet, tool } from "ai";
import type { SkillTool } from "./skill-tool.ts";
import { nameForWire } from "./wire-name.ts";

/** Which calls wait for a person's yes, and the same tools as they run after it. */
interface Approval {
  asks(tool: string, input: unknown): Promise<boolean>;
  readonly approved: readonly SkillTool[];
}

type Approve = SingleToolApprovalFunction<unknown, unknown, unknown>;

/** The tools for `generateText` and `streamText`. A refusal is thrown, which the SDK tells the model as an error. */
export function toAiSdkTools(tools: readonly SkillTool[]): ToolSet {
  return Object.fromEntries([...nameForWire(tools)].map(([name, each]) => [name, toAiSdkTool(each, () => each)]));
}

/**
 * The same for a host that asks a person by the SDK. The SDK asks `toolApproval` before it runs a call, and again before it
 * runs what a person allowed: only a call that went this way runs as allowed, so that tools without it allow nothing.
 */
export function toAiSdkToolsWithApproval(tools: readonly SkillTool[], { asks, approved }: Approval) {
  const asked = new Set<string>();
  const allowed = nameForWire(approved);
  const entries = [...nameForWire(tools)].map(([name, each]) => {
    const approve: Approve = async (input, { toolCallId }) => {
      if (!(await asks(each.name, input))) return "not-applicable";
      asked.add(toolCallId);
      return "user-approval";
    };
    const pick = (id: string) => (asked.delete(id) ? allowed.get(name) : undefined) ?? each;
    return { name, adapted: toAiSdkTool(each, pick), approve };
  });
  return {
    tools: Object.fromEntries(entries.map(({ name, adapted }) => [name, adapted])),
    toolApproval: Object.fromEntries(entries.map(({ name, approve }) => [name, approve])),
  };
}

// The schema goes out as JSON Schema, so that it does not matter which zod the SDK has. It is the tool that checks an input:
// its refusal is written for a model.
function toAiSdkTool(each: SkillTool, pick: (toolCallId: string) => SkillTool): ToolSet[string] {
  const { title, description, render } = each;
  return tool({
    title,
    description,
    inputSchema: jsonSchema<unknown>(each.inputSchema as JSONSchema7),
    execute: async (input, { toolCallId }): Promise<object> => {
      const { isError, text, structured } = await pick(toolCallId).call(input);
      if (isError) throw new Error(text);
      return structured;
    },
    toModelOutput: ({ output }) => ({ type: "text", value: render(output) }),
  });
}
