import { type ChatChunk, createGuide, personMessage, runTurn } from "@skillholm/chat";
import { SkillError, type Skills } from "@skillholm/core";
import { standard } from "@skillholm/profiles";

/** What a catalog may cost in a prompt, in tokens. */
export const catalogBudget = 4000;

/** One answer, kept nowhere. */
export async function ask(skills: Skills, text: string): Promise<ReadableStream<ChatChunk>> {
  if (text.trim() === "") throw new SkillError("invalid-input", "There is no question. Say what you need.");
  const history = [personMessage("question", text)];
  return runTurn({ skills, profile: standard, model: createGuide(), history, budget: catalogBudget });
}
