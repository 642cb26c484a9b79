// Gives a model the skills through the AI SDK, and asks before it activates one.
//   OPENAI_API_KEY=… node examples/02-ai-sdk.ts "why is my skill not listed?"
import { openai } from "@ai-sdk/openai";
import { generateText, isStepCount, type ModelMessage } from "ai";
import { openSkills } from "skillholm";
import { toAiSdk } from "skillholm/ai-sdk";

const skills = await openSkills();
const session = skills.session({ permissions: { rules: [{ decision: "ask", tool: "activate_skill" }] } });
const { instructions, tools, toolApproval } = await toAiSdk(session);
const model = openai(process.env.OPENAI_MODEL ?? "gpt-5-mini");
const agent = { model, instructions, tools, stopWhen: isStepCount(8), ...(toolApproval && { toolApproval }) };
const messages: ModelMessage[] = [{ role: "user", content: process.argv[2] ?? "Why is my skill not listed?" }];

// The model wants to activate a skill: nothing has run yet.
const { content, response } = await generateText({ ...agent, messages });
const requests = content.filter((part) => part.type === "tool-approval-request");
if (requests.length === 0) throw new Error("The model asked for no skill.");
for (const { toolCall } of requests) console.log("allowed:", toolCall.toolName, toolCall.input);

// A person says yes: it runs, and the model goes on.
const yes = requests.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true }) as const);
messages.push(...response.messages, { role: "tool", content: yes });
const { text, responseMessages } = await generateText({ ...agent, messages });
if (!JSON.stringify(responseMessages).includes("<skill_content")) throw new Error("No skill was activated.");
console.log(text);
