import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { forOutput, plural } from "../terminal.ts";

export interface LoadOptions {
  readonly args?: string;
}

const recommended = 5000;

/** What the model gets when the skill is activated. */
export async function runLoad(context: Context, name: string, { args }: LoadOptions): Promise<number> {
  const { engine, terminal } = context;
  const loaded = await engine.load(toReference(await context.skills(), name, engine.cwd), args);
  if (context.json) await terminal.printJson(loaded);
  else terminal.print(forOutput(terminal, loaded.content));
  const remark = loaded.truncated
    ? "; cut: it is too long"
    : loaded.tokens > recommended
      ? "; 5,000 are recommended"
      : "";
  if (!context.json) terminal.note(`${plural(loaded.tokens, "token")}${remark}`);
  return 0;
}
