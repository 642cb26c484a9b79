import { SkillError } from "@skillholm/core";
import type { Context } from "../context.ts";
import { parseAnswer, readMessages } from "../request.ts";
import { forOutput, plain } from "../terminal.ts";

export interface ToolOptions {
  readonly yes?: boolean;
  readonly remember?: string;
  readonly session?: string;
  readonly messages?: string;
}

/** Calls one tool exactly as a model would; 1 when the model would get an error. Without a name: the tools there are. */
export async function runTool(
  context: Context,
  name: string | undefined,
  text: string | undefined,
  options: ToolOptions,
): Promise<number> {
  if (name === undefined) return listTools(context);
  if (text === undefined)
    throw new SkillError("invalid-input", `Give the input of ${name} as JSON: '{"name": "pdf"}'.`);
  const input = parseInput(text);
  const answer = parseAnswer(options);
  await context.skills();
  const { engine, terminal } = context;
  const request = { ...readMessages(options, engine.cwd), answer };
  const result = await engine.callTool({ name, input }, request);
  // A file that a tool gives as it is stays a text, also where it is JSON itself.
  const isJson = result.text.startsWith("{") && Object(result.structured).content !== result.text;
  const isText = !isJson && !isStandard(context);
  if (context.json && isText) terminal.print(JSON.stringify(result.text));
  else if (context.json) await terminal.printJson(isStandard(context) ? toJson(result) : result.structured);
  else terminal.print(forOutput(terminal, result.text));
  return result.isError ? 1 : 0;
}

function toJson({ structured, isError, text }: Awaited<ReturnType<Context["engine"]["callTool"]>>) {
  return { ...structured, isError, text };
}

/** Other systems' shapes are theirs: nothing is added to them. */
function isStandard({ engine }: Context): boolean {
  return engine.config().profile.name === "standard";
}

async function listTools({ engine, terminal, json }: Context): Promise<number> {
  const tools = await engine.tools();
  if (json)
    await terminal.printJson({
      tools: tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
        name,
        title,
        description,
        inputSchema,
        ...(outputSchema && { outputSchema }),
      })),
    });
  else
    for (const { name, description } of tools) terminal.print(`${terminal.style("bold", name)}  ${plain(description)}`);
  if (tools.length === 0) terminal.note("There are no skills, so that a model is offered no tools.");
  return 0;
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = (error as Error).message;
    throw new SkillError("invalid-input", `The input is no JSON (${reason}). Give an object, as '{"name": "pdf"}'.`);
  }
}
