import { createInterface } from "node:readline";
import type { Context } from "../context.ts";
import { packageVersion } from "../version.ts";

/** JSON-RPC 2.0 on standard input and output, one message a line; ends with the input. */
export async function runRpc({ engine }: Context): Promise<number> {
  const handle = await engine.rpc(packageVersion());
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const answer = await handle(line);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  }
  return 0;
}
