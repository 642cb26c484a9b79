import type { Context } from "../context.ts";
import { packageVersion } from "../version.ts";

/** JSON-RPC 2.0 on standard input and output, one message a line; ends with the input. */
export async function runRpc({ engine }: Context): Promise<number> {
  const handle = await engine.rpc(packageVersion());
  const stopWatch = engine.watch();
  for await (const line of readLines(process.stdin)) {
    if (line.trim() === "") continue;
    const answer = await handle(line);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  }
  stopWatch();
  return 0;
}

// A little more than the handler takes, so that it can say so.
const mostCharacters = 1024 * 1024 + 2;

/** Lines by line feeds alone: JSON may hold the other signs that end a line. What is too long is cut, not kept. */
async function* readLines(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let line = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const [first = "", ...rest] = (chunk as string).split("\n");
    line = (line + first).slice(0, mostCharacters);
    for (const next of rest) {
      yield line;
      line = next.slice(0, mostCharacters);
    }
  }
  yield line;
}
