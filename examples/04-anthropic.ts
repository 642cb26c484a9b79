// Gives a model the skills through Anthropic's SDK.
//   ANTHROPIC_API_KEY=… node examples/04-anthropic.ts "why is my skill not listed?"
import Anthropic from "@anthropic-ai/sdk";
import { openSkills } from "skillholm";
import { toAnthropic } from "skillholm/anthropic";

const question = process.argv[2] ?? "Why is my skill not listed?";
const model = process.env.ANTHROPIC_MODEL ?? "claude-sonnet-4-5";
const client = new Anthropic();

const skills = await openSkills();
const { call, ...agent } = await toAnthropic(skills.session());
const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
let activated = 0;
for (let step = 0; step < 8; step++) {
  const { content } = await client.messages.create({ model, max_tokens: 4096, messages, ...agent });
  const calls = content.filter((block) => block.type === "tool_use");
  const results = await Promise.all(calls.map(call));
  messages.push({ role: "assistant", content }, { role: "user", content: results });

  for (const { name, input } of calls) console.log("called:", name, input);
  for (const block of content) if (block.type === "text") console.log(block.text);
  activated += results.filter(
    ({ is_error, content }) => !is_error && String(content).startsWith("<skill_content"),
  ).length;
  if (calls.length === 0) break;
}
if (activated === 0) throw new Error("No skill was activated.");
