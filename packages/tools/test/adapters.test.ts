import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { createSession } from "@skillholm/core";
import { generateText, isStepCount } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import type { WireReply } from "../../../test/support/wire-protocol.ts";
import { serveModels } from "../../../test/support/wire-server.ts";
import { toAiSdkTools } from "../src/ai-sdk.ts";
import { toAnthropicTools } from "../src/anthropic.ts";
import { createActivateTool, createReadTool, type SkillTool } from "../src/index.ts";
import { toOpenAiChatTools, toOpenAiTools } from "../src/openai.ts";

const files = { "greet/SKILL.md": skillText("greet"), "greet/references/words.md": "Good morning.\n" };

/** Tools with the names of a profile that has dots. */
async function dottedTools(): Promise<readonly SkillTool[]> {
  const session = createSession(await memorySkills(files));
  return [
    { ...createActivateTool(session), name: "skills.activate" },
    { ...createReadTool(session), name: "skills.readResource" },
  ];
}

/** A model that does these one after the other. */
function serveScript(...replies: readonly WireReply[]) {
  return serveModels(({ results }) => replies[results.length] ?? { text: "done" });
}

const script: readonly WireReply[] = [
  { calls: [{ name: "skillsActivate", input: { name: "greet" } }] },
  { calls: [{ name: "skillsReadResource", input: { name: "greet", path: "references/words.md" } }] },
  { calls: [{ name: "skillsActivate", input: { name: "great" } }] },
  { calls: [{ name: "skillsActivate", input: { nome: "greet" } }] },
  { calls: [{ name: "skills.activate", input: { name: "greet" } }] },
];

const wrongName = 'There is no tool "skills.activate". Tools: skillsActivate, skillsReadResource. (invalid-input)';
const answers = [
  expect.stringContaining("# greet"),
  expect.stringContaining("Good morning."),
  expect.stringMatching(/Closest: greet.*\(skill-not-found\)/),
  expect.stringMatching(/name: .*expected string.*\(invalid-input\)/),
];

const noJson: WireReply = { calls: [{ name: "skillsActivate", input: '{"name": ' }] };

describe("tools with dots in their names, through the real SDKs", () => {
  it("answer OpenAI's Responses", async () => {
    const { url, requests, refusals } = await serveScript(...script, noJson);
    const client = new OpenAI({ baseURL: url, apiKey: "none" });
    const { tools, call } = toOpenAiTools(await dottedTools());
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Greet me." }];
    let response = await client.responses.create({ model: "m", input, tools });
    while (response.output_text === "") {
      const calls = response.output.filter((item) => item.type === "function_call");
      input.push(...calls, ...(await Promise.all(calls.map(call))));
      response = await client.responses.create({ model: "m", input, tools });
    }
    expect(refusals).toEqual([]);
    expect(requests[0]).toEqual({ instructions: "", tools: ["skillsActivate", "skillsReadResource"], results: [] });
    const expected = [...answers, wrongName, expect.stringMatching(/^The arguments are not JSON: /)];
    expect(requests.at(-1)?.results).toEqual(expected.map((text) => ({ text })));
  });

  it("answer OpenAI's Chat Completions", async () => {
    const { url, requests, refusals } = await serveScript(...script, noJson);
    const client = new OpenAI({ baseURL: url, apiKey: "none" });
    const { call, ...rest } = toOpenAiChatTools(await dottedTools());
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "Greet me." }];
    for (let said: string | null = null; said === null; ) {
      const completion = await client.chat.completions.create({ model: "m", messages, ...rest });
      const message = completion.choices[0]?.message;
      if (message === undefined) throw new Error("no message");
      const calls = message.tool_calls?.filter((each) => each.type === "function") ?? [];
      messages.push(message, ...(await Promise.all(calls.map(call))));
      said = message.content;
    }
    expect(refusals).toEqual([]);
    const expected = [...answers, wrongName, expect.stringMatching(/^The arguments are not JSON: /)];
    expect(requests.at(-1)?.results).toEqual(expected.map((text) => ({ text })));
  });

  it("answer Anthropic's Messages, and say what is an error", async () => {
    const { url, requests, refusals } = await serveScript(...script);
    const client = new Anthropic({ baseURL: url.replace("/v1", ""), apiKey: "none" });
    const { tools, call } = toAnthropicTools(await dottedTools());
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Greet me." }];
    for (let stop: string | null = "tool_use"; stop === "tool_use"; ) {
      const message = await client.messages.create({ model: "m", max_tokens: 99, messages, tools });
      stop = message.stop_reason;
      const results = await Promise.all(message.content.filter((block) => block.type === "tool_use").map(call));
      messages.push({ role: "assistant", content: message.content }, { role: "user", content: results });
    }
    expect(refusals).toEqual([]);
    const expected = [...answers, wrongName].map((text, index) => ({ text, isError: index > 1 }));
    expect(requests.at(-1)?.results).toEqual(expected);
  });

  it.each(["responses", "chat"] as const)("run in the AI SDK (%s)", async (api) => {
    const { url, requests, refusals } = await serveScript(...script.slice(0, 4));
    const model = createOpenAI({ baseURL: url, apiKey: "none" })[api]("m");
    const tools = toAiSdkTools(await dottedTools());
    const { text } = await generateText({ model, prompt: "Greet me.", tools, stopWhen: isStepCount(8) });
    expect({ text, refusals }).toEqual({ text: "done", refusals: [] });
    expect(requests.at(-1)?.results).toEqual(answers.map((text) => ({ text })));
  });
});

describe("the providers on loopback", () => {
  it("refuse a name with a dot, as the real ones do", async () => {
    const { url } = await serveModels(() => ({ text: "done" }));
    const [tool] = await dottedTools();
    const openai = new OpenAI({ baseURL: url, apiKey: "none" });
    const [adapted] = toOpenAiTools(tool === undefined ? [] : [tool]).tools;
    if (adapted === undefined) throw new Error("no tool");
    const tools = [{ ...adapted, name: "skills.activate" }];
    await expect(openai.responses.create({ model: "m", input: "x", tools })).rejects.toThrow(/400 .*does not match/);
  });

  it("refuse a result that answers no call", async () => {
    const { url } = await serveModels(() => ({ text: "done" }));
    const openai = new OpenAI({ baseURL: url, apiKey: "none" });
    const { call } = toOpenAiTools(await dottedTools());
    const output = await call({ call_id: "call_x", name: "skillsActivate", arguments: '{"name":"greet"}' });
    await expect(openai.responses.create({ model: "m", input: [output] })).rejects.toThrow(/400 No tool call found/);
    const anthropic = new Anthropic({ baseURL: url.replace("/v1", ""), apiKey: "none" });
    const result = await toAnthropicTools(await dottedTools()).call({ id: "x", name: "skillsActivate", input: {} });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: [result] }];
    const request = anthropic.messages.create({ model: "m", max_tokens: 9, messages });
    await expect(request).rejects.toThrow(/400 .*unexpected tool_use_id/);
  });
});
