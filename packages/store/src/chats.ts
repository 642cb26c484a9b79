import type { Database } from "./database.ts";

/** A message as it is kept; what its parts are is the conversation's business. */
export interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
}

export interface ChatSummary {
  readonly id: string;
  readonly title: string;
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
  append(chat: { readonly id: string; readonly title: string }, message: StoredMessage): Promise<void>;
  close(): Promise<void>;
}

export function createChatStore(database: Database): ChatStore {
  return {
    list: async (limit) => {
      const rows = await database.selectFrom("chats").selectAll().orderBy("updated_at", "desc").limit(limit).execute();
      return rows.map(summarize);
    },
    get: async (id) => {
      const chat = await database.selectFrom("chats").selectAll().where("id", "=", id).executeTakeFirst();
      if (chat === undefined) return undefined;
      const rows = await database
        .selectFrom("messages")
        .select(["id", "role", "parts"])
        .where("chat_id", "=", id)
        .orderBy("position")
        .execute();
      return { ...summarize(chat), messages: rows.map((row) => ({ ...row, parts: JSON.parse(row.parts) })) };
    },
    append: ({ id, title }, message) => {
      const now = Date.now();
      return database.transaction().execute(async (transaction) => {
        await transaction
          .insertInto("chats")
          .values({ id, title, created_at: now, updated_at: now })
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ updated_at: now }))
          .execute();
        const row = { ...message, parts: JSON.stringify(message.parts), chat_id: id, created_at: now };
        await transaction.insertInto("messages").values(row).execute();
      });
    },
    close: () => database.destroy(),
  };
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
