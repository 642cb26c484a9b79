import { escapeWords } from "@skillholm/core/dialect";
import { SkillError } from "@skillholm/core/portable";
import * as z from "zod";
import type { JsonSchema, SkillTool, ToolResult } from "./skill-tool.ts";

interface ToolDefinition<Input, Output extends object>
  extends Omit<SkillTool, "inputSchema" | "outputSchema" | "call" | "render"> {
  readonly inputSchema: z.ZodType<Input>;
  readonly outputSchema?: z.ZodType;
  run(input: Input): Promise<Output>;
  render(output: Output): string;
  /** What a refusal looks like, where it is not as everywhere. */
  refuse?(error: SkillError, input: unknown): Omit<ToolResult, "isError">;
}

export function createTool<Input, Output extends object>(definition: ToolDefinition<Input, Output>): SkillTool {
  const { run, refuse = (error: SkillError) => refusal(error), outputSchema, ...rest } = definition;
  const render = (structured: object) => definition.render(structured as Output);
  const call = async (input: unknown): Promise<ToolResult> => {
    try {
      const structured = await run(parseInput(definition.inputSchema, input));
      return { isError: false, text: render(structured), structured };
    } catch (error) {
      if (error instanceof SkillError) return { isError: true, ...refuse(error, input), error };
      throw error;
    }
  };
  return {
    ...rest,
    // Made when somebody asks: a turn of a conversation never may.
    get inputSchema() {
      return describeInput(definition.inputSchema);
    },
    get outputSchema() {
      return outputSchema && z.toJSONSchema(outputSchema);
    },
    render,
    call,
  };
}

function describeInput(input: z.ZodType): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(input, { target: "draft-7", io: "input" });
  return schema;
}

function parseInput<Input>(schema: z.ZodType<Input>, input: unknown): Input {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
  throw new SkillError("invalid-input", `The input is wrong. ${problems.join("; ")}.`);
}

function refusal({ code, message, details }: SkillError, advice = ""): Omit<ToolResult, "isError"> {
  return { text: `${escapeWords(message)}${advice} (${code})`, structured: { error: { code, message, ...details } } };
}

/** The same for who can search: a name that is near to none may be found by what it is for. */
export function refuseWithSearch(error: SkillError): Omit<ToolResult, "isError"> {
  const { closest } = error.details as { readonly closest?: readonly string[] };
  return refusal(error, closest?.length === 0 ? " Search for it by what it does." : "");
}
