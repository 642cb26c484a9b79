import type { SchemaModule } from "kysely";

type Step = (database: { readonly schema: SchemaModule }) => Promise<void>;

/** How the tables came to be, oldest first. What was released is never changed; a change is a new step. */
export const migrations: readonly Step[] = [createChats];

async function createChats({ schema }: { readonly schema: SchemaModule }): Promise<void> {
  await schema
    .createTable("chats")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("messages")
    .addColumn("position", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("chat_id", "text", (column) => column.notNull().references("chats.id").onDelete("cascade"))
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("parts", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("messages_once", ["chat_id", "id"])
    .execute();
  await schema.createIndex("chats_by_time").on("chats").column("updated_at").execute();
}
