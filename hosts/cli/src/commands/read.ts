import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { forOutput } from "../terminal.ts";

export interface ReadOptions {
  readonly lines?: string;
}

/** One file of a skill. */
export async function runRead(context: Context, name: string, path: string, { lines }: ReadOptions): Promise<number> {
  const { engine, terminal } = context;
  const file = await engine.read(toReference(await context.skills(), name, engine.cwd), path, lines);
  if (context.json) await terminal.printJson(file);
  else terminal.print(forOutput(terminal, file.content));
  if (file.truncated && file.type === undefined && !context.json) terminal.note("There is more: read it by --lines.");
  return 0;
}
