import { nameForWire, type SkillTool } from "@skillholm/tools";
import { getStaticToolName, isStaticToolUIPart } from "ai";
import type { ChatMessage } from "./message.ts";

type Part = ChatMessage["parts"][number];

/** A message as it is stored: with references where a skill's text was. */
export function packMessage(message: ChatMessage, tools: readonly SkillTool[]): ChatMessage {
  const parts = message.parts.map((part): Part => {
    const memory = memoryOf(part, tools);
    return memory === undefined ? part : ({ ...part, output: memory.pack(outputOf(part)) } as Part);
  });
  return { ...message, parts };
}

/** Stored messages with the skills' texts filled in again, where they are still the same. */
export async function unpackMessages(
  messages: readonly ChatMessage[],
  tools: readonly SkillTool[],
): Promise<ChatMessage[]> {
  return Promise.all(messages.map((message) => unpackMessage(message, tools)));
}

async function unpackMessage(message: ChatMessage, tools: readonly SkillTool[]): Promise<ChatMessage> {
  const unpack = async (part: Part): Promise<Part> => {
    const memory = memoryOf(part, tools);
    if (memory === undefined) return part;
    return { ...part, output: await memory.unpack(outputOf(part), inputOf(part)) } as Part;
  };
  return { ...message, parts: await Promise.all(message.parts.map(unpack)) };
}

function memoryOf(part: Part, tools: readonly SkillTool[]): SkillTool["memory"] {
  if (!isStaticToolUIPart(part) || part.state !== "output-available") return undefined;
  return nameForWire(tools).get(getStaticToolName(part))?.memory;
}

function outputOf(part: Part): object {
  return "output" in part ? Object(part.output) : {};
}

function inputOf(part: Part): unknown {
  return "input" in part ? part.input : undefined;
}
