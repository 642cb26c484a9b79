import { countTokens } from "@skillholm/core";
import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { readMessages } from "../request.ts";
import { forOutput, plural } from "../terminal.ts";

export interface LoadOptions {
  readonly args?: string;
  readonly section?: string;
  readonly session?: string;
  readonly messages?: string;
}

const recommended = 5000;

/** What the model gets when the skill is activated. */
export async function runLoad(context: Context, name: string, options: LoadOptions): Promise<number> {
  const { engine, terminal } = context;
  const request = { given: options.args, section: options.section, ...readMessages(options, engine.cwd) };
  const { text, structured } = await engine.load(toReference(await context.skills(), name, engine.cwd), request);
  if (context.json) await terminal.printJson(structured);
  else printLoaded(context, text, structured);
  return 0;
}

function printLoaded({ terminal }: Context, text: string, structured: { readonly truncated?: boolean }): void {
  terminal.print(forOutput(terminal, text));
  const tokens = countTokens(text);
  const remark = structured.truncated ? "; cut: it is too long" : tokens > recommended ? "; 5,000 are recommended" : "";
  terminal.note(`${plural(tokens, "token")}${remark}`);
}
