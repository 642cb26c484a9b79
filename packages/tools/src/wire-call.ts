import { escapeWords } from "@skillholm/core/dialect";
import type { SkillTool, ToolResult } from "./skill-tool.ts";

/** Answers a model's call by the tool's name on the wire. What the model got wrong is a result that it can act on. */
export async function callByName(
  tools: ReadonlyMap<string, SkillTool>,
  name: string,
  input: unknown,
): Promise<ToolResult> {
  const tool = tools.get(name);
  return tool === undefined
    ? refuse(`There is no tool "${name}". Tools: ${[...tools.keys()].join(", ")}.`)
    : tool.call(input);
}

/** The same for an input that comes as text. */
export async function callWithJson(
  tools: ReadonlyMap<string, SkillTool>,
  name: string,
  json: string,
): Promise<ToolResult> {
  let input: unknown;
  try {
    // Some models send nothing where they mean no arguments.
    input = JSON.parse(json || "{}");
  } catch (error) {
    return refuse(`The arguments are not JSON: ${(error as Error).message}.`);
  }
  return callByName(tools, name, input);
}

function refuse(message: string): ToolResult {
  return {
    isError: true,
    text: `${escapeWords(message)} (invalid-input)`,
    structured: { error: { code: "invalid-input", message } },
  };
}
