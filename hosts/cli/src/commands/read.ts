import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { readMessages } from "../request.ts";
import { forOutput } from "../terminal.ts";

export interface ReadOptions {
  readonly lines?: string;
  readonly session?: string;
  readonly messages?: string;
}

/** One file of a skill. */
export async function runRead(context: Context, name: string, path: string, options: ReadOptions): Promise<number> {
  const { engine, terminal } = context;
  const request = { lines: options.lines, ...readMessages(options, engine.cwd) };
  const { text, structured } = await engine.read(toReference(await context.skills(), name, engine.cwd), path, request);
  if (context.json) await terminal.printJson(structured);
  else terminal.print(forOutput(terminal, text));
  const { truncated, type } = structured as { readonly truncated?: boolean; readonly type?: string };
  if (truncated && type === undefined && !context.json) terminal.note("There is more: read it by --lines.");
  return 0;
}
