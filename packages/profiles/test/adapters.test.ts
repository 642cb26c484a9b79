import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import type { PermissionRule, Session, Skills } from "@skillholm/core";
import { generateText, isStepCount, type ModelMessage, streamText } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import type { WireReply, WireRequest } from "../../../test/support/wire-protocol.ts";
import { serveModels } from "../../../test/support/wire-server.ts";
import { toAiSdk } from "../src/ai-sdk.ts";
import { toAnthropic } from "../src/anthropic.ts";
import { standard } from "../src/index.ts";
import { toOpenAi, toOpenAiChat } from "../src/openai.ts";

const files = { "greet/SKILL.md": skillText("greet"), "part/SKILL.md": skillText("part") };
const names = ["activate_skill", "search_skills", "read_skill_resource"];

/** A model that activates a skill and then is done. */
function activates({ results, tools }: WireRequest): WireReply {
  if (results.length > 0 || tools.length === 0) return { text: "done" };
  return { calls: [{ name: "activate_skill", input: { name: "greet" } }] };
}

async function catalogText(skills: Skills): Promise<string> {
  return standard.renderCatalog(await skills.session().view(), { tokens: 4000 }).text;
}

describe("a session's skills for the AI SDK", () => {
  it("are spread into generateText", async () => {
    const { url, requests, refusals } = await serveModels(activates);
    const skills = await memorySkills(files);
    const agent = await toAiSdk(skills.session());
    expect(Object.keys(agent)).toEqual(["instructions", "tools"]);
    const model = createOpenAI({ baseURL: url, apiKey: "none" })("m");
    const { text } = await generateText({ model, prompt: "Greet me.", ...agent, stopWhen: isStepCount(8) });
    expect({ text, refusals }).toEqual({ text: "done", refusals: [] });
    expect(requests[1]).toEqual({
      instructions: await catalogText(skills),
      tools: names,
      results: [{ text: expect.stringContaining("# greet") }],
    });
  });

  it("are spread into streamText", async () => {
    const { url, requests, refusals } = await serveModels(activates);
    const agent = await toAiSdk((await memorySkills(files)).session());
    const model = createOpenAI({ baseURL: url, apiKey: "none" }).chat("m");
    const result = streamText({ model, prompt: "Greet me.", ...agent, stopWhen: isStepCount(8) });
    expect({ text: await result.text, refusals }).toEqual({ text: "done", refusals: [] });
    expect(requests[1]?.results).toEqual([{ text: expect.stringContaining("# greet") }]);
  });

  it("are nothing where there are none", async () => {
    const { url, requests } = await serveModels(activates);
    const agent = await toAiSdk(askingSession(await memorySkills({})));
    expect(agent).toEqual({ instructions: "", tools: {} });
    const model = createOpenAI({ baseURL: url, apiKey: "none" }).chat("m");
    expect((await generateText({ model, prompt: "Greet me.", ...agent })).text).toBe("done");
    expect(requests).toEqual([{ instructions: "", tools: [], results: [] }]);
  });

  it("keep to the budget, and put first what the task is for", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [`s${n}/SKILL.md`, skillText(`s${n}`, "Does a thing. Use when asked.")]),
    );
    const skills = await memorySkills({ ...many, "z/SKILL.md": skillText("z", "Paints zebras.") });
    const options = { budget: 300, task: "paint a zebra" };
    const { instructions } = await toAiSdk(skills.session(), options);
    expect(instructions).toBe(standard.renderCatalog(await skills.session().view(options.task), { tokens: 300 }).text);
    expect(instructions).toContain("Paints zebras.");
  });
});

const rules: readonly PermissionRule[] = [
  { decision: "ask", tool: "activate_skill", skill: "greet" },
  { decision: "deny", tool: "activate_skill", skill: "part" },
];

/** A session that cannot ask anybody itself. */
function askingSession(skills: Skills): Session {
  return skills.session({ permissions: { rules } });
}

describe("a rule that asks, in the AI SDK", () => {
  async function ask(session: Session) {
    const { url, requests } = await serveModels(activates);
    const model = createOpenAI({ baseURL: url, apiKey: "none" })("m");
    const messages: ModelMessage[] = [{ role: "user", content: "Greet me." }];
    const first = await generateText({ model, messages, ...(await toAiSdk(session)), stopWhen: isStepCount(8) });
    const [request] = first.content.filter((part) => part.type === "tool-approval-request");
    messages.push(...first.response.messages);
    const answer = async (approved: boolean) => {
      const approvalId = request?.approvalId ?? "";
      messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] });
      // Anew, as a server has it: the answer comes with another request.
      return generateText({ model, messages, ...(await toAiSdk(session)), stopWhen: isStepCount(8) });
    };
    return { first, request, requests, answer };
  }

  it("waits for a person, and runs after their yes", async () => {
    const { first, request, requests, answer } = await ask(askingSession(await memorySkills(files)));
    expect(request).toMatchObject({ toolCall: { toolName: "activate_skill", input: { name: "greet" } } });
    expect({ results: first.toolResults, requests: requests.length }).toEqual({ results: [], requests: 1 });
    expect((await answer(true)).text).toBe("done");
    expect(requests.at(-1)?.results).toEqual([{ text: expect.stringContaining("# greet") }]);
  });

  it("does not run after their no", async () => {
    const { requests, answer } = await ask(askingSession(await memorySkills(files)));
    expect((await answer(false)).text).toBe("done");
    expect(requests.at(-1)?.results).toEqual([{ text: expect.not.stringContaining("# greet") }]);
  });

  it("is left to a session that can ask by itself", async () => {
    const skills = await memorySkills(files);
    const session = skills.session({ permissions: { rules, ask: async () => true } });
    expect(Object.keys(await toAiSdk(session))).toEqual(["instructions", "tools"]);
  });

  it("allows nothing where a host takes the tools and leaves toolApproval", async () => {
    const { url, requests } = await serveModels(activates);
    const { tools } = await toAiSdk(askingSession(await memorySkills(files)));
    const model = createOpenAI({ baseURL: url, apiKey: "none" })("m");
    await generateText({ model, prompt: "Greet me.", tools, stopWhen: isStepCount(8) });
    expect(requests.at(-1)?.results).toEqual([{ text: expect.stringContaining("(permission-denied)") }]);
  });

  it("says nothing about what is allowed or denied", async () => {
    const { tools, toolApproval } = await toAiSdk(askingSession(await memorySkills(files)));
    expect(Object.keys(toolApproval ?? {})).toEqual(Object.keys(tools));
    const { url, requests } = await serveModels(({ results }) =>
      results.length > 0 ? { text: "done" } : { calls: [{ name: "activate_skill", input: { name: "part" } }] },
    );
    const model = createOpenAI({ baseURL: url, apiKey: "none" })("m");
    const options = { model, prompt: "x", tools, stopWhen: isStepCount(8), ...(toolApproval && { toolApproval }) };
    expect((await generateText(options)).text).toBe("done");
    expect(requests.at(-1)?.results).toEqual([{ text: expect.stringContaining("is denied by a rule") }]);
  });
});

describe("a session's skills for OpenAI", () => {
  it("go through Responses", async () => {
    const { url, requests, refusals } = await serveModels(activates);
    const client = new OpenAI({ baseURL: url, apiKey: "none" });
    const skills = await memorySkills(files);
    const { call, ...agent } = await toOpenAi(skills.session());
    const first = await client.responses.create({ model: "m", input: "Greet me.", ...agent });
    const input = await Promise.all(first.output.filter((item) => item.type === "function_call").map(call));
    const last = await client.responses.create({ model: "m", input, previous_response_id: first.id, ...agent });
    expect({ text: last.output_text, refusals }).toEqual({ text: "done", refusals: [] });
    expect(requests[1]).toEqual({
      instructions: await catalogText(skills),
      tools: names,
      results: [{ text: expect.stringContaining("# greet") }],
    });
  });

  it("go through Chat Completions", async () => {
    const { url, requests, refusals } = await serveModels(activates);
    const client = new OpenAI({ baseURL: url, apiKey: "none" });
    const skills = await memorySkills(files);
    const { instructions, tools, call } = await toOpenAiChat(skills.session());
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
      { role: "system", content: instructions },
      { role: "user", content: "Greet me." },
    ];
    const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
    const message = choices[0]?.message ?? { role: "assistant" as const };
    const calls = ("tool_calls" in message && message.tool_calls) || [];
    messages.push(message, ...(await Promise.all(calls.filter((each) => each.type === "function").map(call))));
    const last = await client.chat.completions.create({ model: "m", messages, tools });
    expect({ text: last.choices[0]?.message.content, refusals }).toEqual({ text: "done", refusals: [] });
    expect(requests[1]).toEqual({
      instructions: await catalogText(skills),
      tools: names,
      results: [{ text: expect.stringContaining("# greet") }],
    });
  });

  it("are nothing where there are none, and both still take it", async () => {
    const { url, refusals } = await serveModels(activates);
    const client = new OpenAI({ baseURL: url, apiKey: "none" });
    const session = (await memorySkills({})).session();
    const { call, ...agent } = await toOpenAi(session);
    expect(agent).toEqual({ instructions: "", tools: [] });
    await client.responses.create({ model: "m", input: "Greet me.", ...agent });
    const { instructions, tools } = await toOpenAiChat(session);
    expect({ instructions, tools }).toEqual({ instructions: "" });
    await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "x" }], tools });
    expect(refusals).toEqual([]);
  });
});

describe("a session's skills for Anthropic", () => {
  it("go through Messages", async () => {
    const { url, requests, refusals } = await serveModels(activates);
    const client = new Anthropic({ baseURL: url.replace("/v1", ""), apiKey: "none" });
    const skills = await memorySkills(files);
    const { call, ...agent } = await toAnthropic(skills.session());
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Greet me." }];
    const options = { model: "m", max_tokens: 99, messages, ...agent };
    const { content } = await client.messages.create(options);
    const results = await Promise.all(content.filter((block) => block.type === "tool_use").map(call));
    messages.push({ role: "assistant", content }, { role: "user", content: results });
    const last = await client.messages.create(options);
    expect({ content: last.content, refusals }).toMatchObject({ content: [{ text: "done" }], refusals: [] });
    expect(requests[1]).toEqual({
      instructions: await catalogText(skills),
      tools: names,
      results: [{ text: expect.stringContaining("# greet"), isError: false }],
    });
  });

  it("are nothing where there are none", async () => {
    const { url, requests } = await serveModels(activates);
    const client = new Anthropic({ baseURL: url.replace("/v1", ""), apiKey: "none" });
    const { call, ...agent } = await toAnthropic((await memorySkills({})).session());
    expect(agent).toEqual({ system: "", tools: [] });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Greet me." }];
    await client.messages.create({ model: "m", max_tokens: 99, messages, ...agent });
    expect(requests).toEqual([{ instructions: "", tools: [], results: [] }]);
  });
});
