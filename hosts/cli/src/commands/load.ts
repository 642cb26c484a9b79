import type { Context } from "../context.ts";
import { toReference } from "../reference.ts";
import { harmless, plural } from "../terminal.ts";

export interface LoadOptions {
  readonly args?: string;
}

/** What the model gets when the skill is activated. */
export async function runLoad(context: Context, name: string, { args }: LoadOptions): Promise<number> {
  const { engine, terminal } = context;
  const loaded = await engine.load(toReference(await context.skills(), name, engine.cwd), args);
  if (context.json) await terminal.printJson(loaded);
  else terminal.print(loaded.content.split("\n").map(harmless).join("\n"));
  const cut = loaded.truncated ? "; cut: it is too long" : "";
  if (!context.json) terminal.note(`${plural(loaded.tokens, "token")}${cut}`);
  return 0;
}
