import { checkTools, demand, type Json, type WireAnswer, type WireReply } from "./wire-protocol.ts";

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** The Responses protocol, which remembers what it answered. */
export function speakResponses(): (body: Json) => WireAnswer {
  const stored = new Map<string, readonly Json[]>();
  const items = new Map<string, Json>();
  return (body) => {
    demand(typeof body.model === "string", "Missing required parameter: 'model'.");
    demand(
      body.previous_response_id === undefined || stored.has(String(body.previous_response_id)),
      "Previous response not found.",
    );
    const own = typeof body.input === "string" ? [{ role: "user", content: body.input }] : (body.input as Json[]);
    const input = [...(stored.get(String(body.previous_response_id)) ?? []), ...own].map((item) => {
      if (item.type !== "item_reference") return item;
      const known = items.get(String(item.id));
      demand(known !== undefined, `Item with id '${item.id}' not found.`);
      return known;
    });
    checkCalls(input);
    const tools = (body.tools ?? []) as Json[];
    for (const { strict, parameters } of tools) checkStrict(strict, parameters as Json);
    const names = checkTools(
      tools.map(({ name, parameters }) => ({ name, schema: parameters })),
      namePattern,
    );
    const results = input
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => ({ text: String(output) }));
    const system = input
      .filter(({ role }) => role === "system" || role === "developer")
      .map(({ content }) => String(content));
    const answer = (reply: WireReply): object => {
      const output = outputOf(reply, input.length);
      const id = `resp_${stored.size}`;
      stored.set(id, [...input, ...output]);
      for (const item of output) items.set(String(item.id), item);
      const usage = {
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        input_tokens_details: {},
        output_tokens_details: {},
      };
      return {
        id,
        object: "response",
        created_at: 1,
        status: "completed",
        model: body.model,
        output,
        usage,
        error: null,
        incomplete_details: null,
      };
    };
    return {
      request: { instructions: [...system, body.instructions ?? ""].join("\n").trim(), tools: names, results },
      answer,
    };
  };
}

function checkCalls(input: readonly Json[]): void {
  const ids = (type: string) => input.filter((item) => item.type === type).map(({ call_id }) => String(call_id));
  const [calls, outputs] = [ids("function_call"), ids("function_call_output")];
  for (const id of outputs)
    demand(calls.includes(id), `No tool call found for function call output with call_id ${id}.`);
  for (const id of calls) demand(outputs.includes(id), `No tool output found for function call ${id}.`);
}

// Left out, it means true.
function checkStrict(strict: unknown, parameters: Json): void {
  if (strict === false) return;
  const all = Object.keys((parameters?.properties ?? {}) as Json);
  const required = (parameters?.required ?? []) as string[];
  demand(
    all.every((key) => required.includes(key)),
    "Invalid schema: 'required' must include every key in properties.",
  );
  demand(parameters?.additionalProperties === false, "Invalid schema: 'additionalProperties' must be false.");
}

function outputOf(reply: WireReply, seed: number): readonly Json[] {
  if ("text" in reply) {
    const content = [{ type: "output_text", text: reply.text, annotations: [] }];
    return [{ type: "message", id: `msg_${seed}`, role: "assistant", status: "completed", content }];
  }
  return reply.calls.map(({ name, input }, index) => {
    const [id, call_id] = [`fc_${seed}_${index}`, `call_${seed}_${index}`];
    return { type: "function_call", id, call_id, name, arguments: asText(input), status: "completed" };
  });
}

/** The Chat Completions protocol, streamed where that is asked for. */
export function speakChat(body: Json): WireAnswer {
  demand(typeof body.model === "string", "you must provide a model parameter");
  const messages = body.messages as Json[];
  demand(Array.isArray(messages) && messages.length > 0, "[] is too short - 'messages'");
  demand(body.tools === undefined || (body.tools as Json[]).length > 0, "[] is too short - 'tools'");
  const functions = ((body.tools ?? []) as Json[]).map((tool) => tool.function as Json);
  for (const { strict, parameters } of functions) checkStrict(strict ?? false, parameters as Json);
  const names = checkTools(
    functions.map(({ name, parameters }) => ({ name, schema: parameters })),
    namePattern,
  );
  checkMessages(messages);
  const texts = (role: string) =>
    messages.filter((message) => message.role === role).map(({ content }) => String(content));
  const request = {
    instructions: texts("system").join("\n"),
    tools: names,
    results: texts("tool").map((text) => ({ text })),
  };
  return { request, answer: (reply) => chatAnswer(reply, messages.length, body) };
}

function checkMessages(messages: readonly Json[]): void {
  let open: string[] = [];
  for (const { role, tool_call_id, tool_calls } of messages) {
    if (role === "tool") {
      demand(
        open.includes(String(tool_call_id)),
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      );
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    demand(open.length === 0, `tool_call_ids did not have response messages: ${open.join(", ")}`);
    open = ((tool_calls ?? []) as Json[]).map(({ id }) => String(id));
  }
  demand(open.length === 0, `tool_call_ids did not have response messages: ${open.join(", ")}`);
}

function chatAnswer(reply: WireReply, seed: number, { model, stream }: Json): object | readonly object[] {
  const calls = "calls" in reply ? reply.calls : [];
  const tool_calls = calls.map(({ name, input }, index) => {
    return { index, id: `call_${seed}_${index}`, type: "function", function: { name, arguments: asText(input) } };
  });
  const content = "text" in reply ? reply.text : null;
  const message = { role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) };
  const finish_reason = tool_calls.length > 0 ? "tool_calls" : "stop";
  const common = { id: `chatcmpl_${seed}`, created: 1, model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (stream !== true) {
    return {
      ...common,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason, logprobs: null }],
      usage,
    };
  }
  const chunk = { ...common, object: "chat.completion.chunk" };
  return [
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...chunk, choices: [], usage },
  ];
}

// A text stands for itself: models send arguments that are no JSON.
function asText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
