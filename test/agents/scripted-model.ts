import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

/** A call that the model makes, by the name of our tool. */
interface ScriptedCall {
  readonly tool: string;
  readonly input: object;
}

/** What an agent sent to its model. */
interface Heard {
  /** The names of our tools, as the agent offered them. */
  readonly tools: Set<string>;
  /** What each call gave, in order. */
  readonly results: string[];
}

interface Offered {
  readonly name: string;
  /** Codex keeps the tools of one server together. */
  readonly namespace?: string;
}

/** A model on loopback that makes these calls one after the other, whatever it is told, and then says that it is done. */
export async function serveScriptedModel(calls: readonly ScriptedCall[]) {
  const heard: Heard = { tools: new Set(), results: [] };
  const next = (offered: readonly Offered[], results: readonly string[]): (Offered & { input: string }) | undefined => {
    for (const { name } of offered) heard.tools.add(name);
    heard.results.splice(0, Number.POSITIVE_INFINITY, ...results);
    const call = calls[results.length];
    const tool = offered.find(({ name }) => call !== undefined && name.endsWith(call.tool));
    return call && tool && { ...tool, input: JSON.stringify(call.input) };
  };
  const server = createServer(async (message, response) => {
    const body = JSON.parse(Buffer.concat(await message.toArray()).toString() || "{}") as Json;
    const isOurs = message.url?.endsWith("/responses") || message.url?.endsWith("/chat/completions");
    if (!isOurs) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (message.url?.endsWith("/responses")) answerResponses(response, body, next);
    else answerChat(response, body, next);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, heard, close: () => void server.close().closeAllConnections() };
}

type Next = (offered: readonly Offered[], results: readonly string[]) => (Offered & { input: string }) | undefined;

function answerResponses(response: ServerResponse, { input, tools }: Json, next: Next): void {
  const offered = list(tools).flatMap((tool): readonly Offered[] => {
    if (tool.type !== "namespace") return [{ name: String(tool.name) }];
    return list(tool.tools).map(({ name }) => ({ name: String(name), namespace: String(tool.name) }));
  });
  const results = list(input).flatMap(({ type, output }) => (type === "function_call_output" ? [textOf(output)] : []));
  const call = next(offered, results);
  const id = `${results.length}`;
  const content = [{ type: "output_text", text: "Done.", annotations: [] }];
  const item =
    call === undefined
      ? { type: "message", id, role: "assistant", status: "completed", content }
      : {
          type: "function_call",
          id,
          call_id: `call_${id}`,
          ...naming(call),
          arguments: call.input,
          status: "completed",
        };
  const counts = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const usage = {
    ...counts,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const send = (event: { readonly type: string } & Json) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  send({ type: "response.created", response: { id } });
  send({ type: "response.output_item.done", output_index: 0, item });
  send({ type: "response.completed", response: { id, output: [item], usage } });
}

function naming({ name, namespace }: Offered): Offered {
  return namespace === undefined ? { name } : { name, namespace };
}

function answerChat(response: ServerResponse, { messages, tools, model }: Json, next: Next): void {
  const offered = list(tools).map((tool) => ({ name: String((tool.function as Json).name) }));
  const results = list(messages).flatMap(({ role, content }) => (role === "tool" ? [textOf(content)] : []));
  // Titles and summaries are asked for without tools.
  const call = offered.length === 0 ? undefined : next(offered, results);
  const id = `${results.length}`;
  const tool_calls = call && [
    { index: 0, id: `call_${id}`, type: "function", function: { name: call.name, arguments: call.input } },
  ];
  const delta = { role: "assistant", content: call ? null : "Done.", ...(tool_calls && { tool_calls }) };
  const chunk = { id, object: "chat.completion.chunk", created: 1, model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const end = { index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" };
  const chunks = [{ choices: [{ index: 0, delta, finish_reason: null }] }, { choices: [end] }, { choices: [], usage }];
  for (const each of chunks) response.write(`data: ${JSON.stringify({ ...chunk, ...each })}\n\n`);
  response.write("data: [DONE]\n\n");
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
