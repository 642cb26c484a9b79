import { SkillError } from "@skillholm/core";
import type { Context } from "../context.ts";
import { forOutput } from "../terminal.ts";

export interface ToolOptions {
  readonly yes?: boolean;
}

/** Calls one tool exactly as a model would; 1 when the model would get an error. */
export async function runTool(context: Context, name: string, text: string, options: ToolOptions): Promise<number> {
  const input = parseInput(text);
  await context.skills();
  const {
    isError,
    text: said,
    structured,
  } = await context.engine.callTool({
    name,
    input,
    confirm: options.yes === true,
  });
  if (context.json) await context.terminal.printJson({ ...structured, isError, text: said });
  else context.terminal.print(forOutput(context.terminal, said));
  return isError ? 1 : 0;
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = (error as Error).message;
    throw new SkillError("invalid-input", `The input is no JSON (${reason}). Give an object, as '{"name": "pdf"}'.`);
  }
}
