import type { Database } from "./database.ts";

/** A message as it is kept; what its parts are is the conversation's business. */
export interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
}

interface ChatTitle {
  readonly id: string;
  readonly title: string;
}

export interface ChatSummary extends ChatTitle {
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface StoredChat extends ChatSummary {
  readonly messages: readonly StoredMessage[];
}

/** Conversations. */
export interface ChatStore {
  /** The latest first. */
  list(limit: number): Promise<readonly ChatSummary[]>;
  get(id: string): Promise<StoredChat | undefined>;
  /** Adds a message at the end, making the conversation with this title where there is none. */
  append(chat: ChatTitle, message: StoredMessage): Promise<void>;
  close(): Promise<void>;
}

/** `explain` turns what the database throws into what a person can act on. */
export function createChatStore(database: Database, explain: (error: unknown) => Error): ChatStore {
  const guard = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error) => {
      throw explain(error);
    });
  return {
    list: (limit) =>
      guard(async () => {
        const chats = database.selectFrom("chats").selectAll();
        return (await chats.orderBy("updated_at", "desc").limit(limit).execute()).map(summarize);
      }),
    get: (id) => guard(() => readChat(database, id)),
    append: (chat, message) => guard(() => addMessage(database, chat, message)),
    close: () => database.destroy(),
  };
}

async function readChat(database: Database, id: string): Promise<StoredChat | undefined> {
  const chat = await database.selectFrom("chats").selectAll().where("id", "=", id).executeTakeFirst();
  if (chat === undefined) return undefined;
  const rows = await database
    .selectFrom("messages")
    .select(["id", "role", "parts"])
    .where("chat_id", "=", id)
    .orderBy("position")
    .execute();
  return { ...summarize(chat), messages: rows.map((row) => ({ ...row, parts: JSON.parse(row.parts) })) };
}

function addMessage(database: Database, chat: ChatTitle, { id, role, parts }: StoredMessage): Promise<void> {
  const now = Date.now();
  return database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("chats")
      .values({ ...chat, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ updated_at: now }))
      .execute();
    const row = { id, chat_id: chat.id, role, parts: JSON.stringify(parts), created_at: now };
    await transaction.insertInto("messages").values(row).execute();
  });
}

interface ChatRow {
  readonly id: string;
  readonly title: string;
  readonly created_at: number;
  readonly updated_at: number;
}

function summarize({ id, title, created_at, updated_at }: ChatRow): ChatSummary {
  return { id, title, createdAt: new Date(created_at).toISOString(), updatedAt: new Date(updated_at).toISOString() };
}
