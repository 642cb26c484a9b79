import { join } from "node:path";
import { type ChatStore, createChatStore } from "./chats.ts";
import { explainDatabase, openDatabase } from "./database.ts";

export type { ChatStore, ChatSummary, StoredChat, StoredMessage } from "./chats.ts";

/** The conversations on this machine. An entry of its own: who only lists skills never loads a database. */
export async function openChats(folder: string): Promise<ChatStore> {
  const path = join(folder, "chats.db");
  return createChatStore(await openDatabase(path), (error) => explainDatabase(path, error));
}
