import { type ChatChunk, createGuide, personMessage, runTurn } from "@skillholm/chat";
import { createSession, SkillError, type Skills } from "@skillholm/core";
import { standard } from "@skillholm/profiles";

/** One answer, kept nowhere; `budget` is what the catalog may cost, in tokens. */
export async function ask(skills: Skills, text: string, budget: number): Promise<ReadableStream<ChatChunk>> {
  if (text.trim() === "") throw new SkillError("invalid-input", "There is no question. Say what you need.");
  const history = [personMessage("question", text)];
  const catalog = standard.renderCatalog(await createSession(skills).view(text), budget);
  return runTurn({ skills, profile: standard, model: createGuide(), history, catalog });
}
