// Gives a model the skills through OpenAI's SDK.
//   OPENAI_API_KEY=… node examples/03-openai.ts "why is my skill not listed?"
import OpenAI from "openai";
import { openSkills } from "skillholm";
import { toOpenAi } from "skillholm/openai";

const question = process.argv[2] ?? "Why is my skill not listed?";
const model = process.env.OPENAI_MODEL ?? "gpt-5-mini";
const client = new OpenAI();

const skills = await openSkills();
const { call, ...agent } = await toOpenAi(skills.session());
let response = await client.responses.create({ model, input: question, ...agent });
let activated = 0;
for (let step = 0; step < 8; step++) {
  const calls = response.output.filter((item) => item.type === "function_call");
  if (calls.length === 0) break;
  const input = await Promise.all(calls.map(call));
  response = await client.responses.create({ model, input, previous_response_id: response.id, ...agent });

  for (const { name, arguments: json } of calls) console.log("called:", name, json);
  activated += input.filter(({ output }) => String(output).startsWith("<skill_content")).length;
}
if (activated === 0) throw new Error("No skill was activated.");
console.log(response.output_text);
