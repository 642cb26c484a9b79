import { type ChatChunk, createGuide, personMessage, runTurn } from "@skillholm/chat";
import { type Session, SkillError } from "@skillholm/core";
import { type CatalogLimits, standard } from "@skillholm/profiles";

/** One answer, kept nowhere; `limits` is what the catalog may take. */
export async function ask(session: Session, text: string, limits: CatalogLimits): Promise<ReadableStream<ChatChunk>> {
  if (text.trim() === "") throw new SkillError("invalid-input", "There is no question. Say what you need.");
  const history = [personMessage("question", text)];
  const catalog = standard.renderCatalog(await session.view(text), limits);
  return runTurn({ session, profile: standard, model: createGuide(), history, catalog });
}
