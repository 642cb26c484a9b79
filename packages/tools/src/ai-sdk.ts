import { type ToolSet, tool } from "ai";
import type { SkillTool } from "./tool.ts";

/** The tools for `generateText` and `streamText`. A refusal is thrown, which the SDK tells the model as an error. */
export function toAiSdkTools(tools: readonly SkillTool[]): ToolSet {
  return Object.fromEntries(tools.map((each) => [each.name, toAiSdkTool(each)]));
}

function toAiSdkTool({ title, description, inputSchema, call, render }: SkillTool): ToolSet[string] {
  return tool({
    title,
    description,
    inputSchema,
    execute: async (input: unknown): Promise<object> => {
      const { isError, text, structured } = await call(input);
      if (isError) throw new Error(text);
      return structured;
    },
    toModelOutput: ({ output }) => ({ type: "text", value: render(output) }),
  });
}
