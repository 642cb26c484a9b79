import { realpathSync } from "node:fs";
import type { Interpreter } from "@skillholm/core";

/**
 * Loads a skill's module inside the sandbox and answers one message of JSON-RPC about its tools. What the module prints goes to
 * stderr, so that only answers are on stdout.
 */
export function toolsetHost(): Interpreter {
  return { name: "node", path: realpathSync(process.execPath), args: ["--input-type=module", "--eval", source] };
}

const source = `
import { Console } from "node:console";
import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
globalThis.console = new Console(process.stderr, process.stderr);
const [, path, name] = process.argv;
const { id, method, params } = JSON.parse(readFileSync(0, "utf8"));
const answer = (rest) => {
  const text = Buffer.from("\\n" + JSON.stringify({ jsonrpc: "2.0", id, ...rest }) + "\\n");
  for (let at = 0; at < text.length; ) at += writeSync(1, text, at);
  process.exit(0);
};
const fail = (message) => answer({ error: { code: -32602, message } });
try {
  const found = (await import(pathToFileURL(path).href))[name];
  if (found === undefined) fail("the module has no export " + JSON.stringify(name));
  const isClass = typeof found === "function" && /^class\\b/.test(Function.prototype.toString.call(found));
  const set = isClass ? new found() : typeof found === "function" ? await found() : found;
  const listed = typeof set.tools === "function" ? await set.tools() : set.tools;
  const tools = Array.isArray(listed) ? listed : Object.entries(listed ?? {}).map(([name, tool]) => ({ name, ...tool }));
  if (method === "tools/list") {
    answer({ result: { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) } });
  }
  const tool = tools.find((each) => each.name === params.name);
  if (tool === undefined) fail("there is no tool " + JSON.stringify(params.name));
  try {
    const result = await (tool.execute ?? tool.call).call(tool, params.arguments);
    const text = typeof result === "string" ? result : JSON.stringify(result ?? null);
    const data = typeof result === "object" && result !== null && !Array.isArray(result);
    answer({ result: { content: [{ type: "text", text }], ...(data && { structuredContent: result }) } });
  } catch (error) {
    answer({ result: { content: [{ type: "text", text: String(error?.message ?? error) }], isError: true } });
  }
} catch (error) {
  fail(String(error?.message ?? error));
}
`;
