import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "@skillholm/core";
import { type Generated, Kysely, type SqliteDatabase, SqliteDialect, sql } from "kysely";
import { makeFolder } from "./folders.ts";
import { migrations } from "./migrations.ts";

/** The tables, one schema for every database. */
interface Tables {
  readonly chats: {
    readonly id: string;
    readonly title: string;
    readonly created_at: number;
    readonly updated_at: number;
  };
  readonly messages: {
    readonly id: string;
    readonly chat_id: string;
    /** The order of the conversation. */
    readonly position: Generated<number>;
    readonly role: string;
    /** JSON. */
    readonly parts: string;
    readonly created_at: number;
  };
}

export type Database = Kysely<Tables>;

/** Opens the embedded database, and brings its tables up to date. */
export async function openDatabase(path: string): Promise<Database> {
  let database: Database | undefined;
  try {
    database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(path) }) });
    await migrate(database);
    return database;
  } catch (error) {
    await database?.destroy();
    throw explainDatabase(path, error);
  }
}

/** What went wrong with the file, and what to do. */
export function explainDatabase(path: string, error: unknown): SkillError {
  if (error instanceof SkillError) return error;
  const { message, errcode } = error as Error & { readonly errcode?: number };
  const busy = errcode === sqliteBusy;
  const advice = busy ? "Another program holds it: try again." : "Mend it, or move it away to start anew.";
  return new SkillError("unavailable", `${path} cannot be used (${message}). ${advice}`);
}

const sqliteBusy = 5;

// Node 22 warns that this module is new, which is no news for a person who wants to chat.
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function openSqlite(path: string): SqliteDatabase {
  makeFolder(dirname(path));
  // Made here, so that nobody else may read it from its first moment.
  closeSync(openSync(path, "a", 0o600));
  const { DatabaseSync } = loadSqlite();
  const raw = new DatabaseSync(path);
  // What was acknowledged survives a power cut; a second process waits its turn.
  raw.exec(
    "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
  );
  return {
    close: () => raw.close(),
    prepare: (text) => {
      const statement = raw.prepare(text);
      type Values = Parameters<typeof statement.all>;
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...(values as Values)),
        run: (values) => statement.run(...(values as Values)),
        iterate: (values) => statement.iterate(...(values as Values)),
      };
    },
  };
}

/** Runs what is new, under a lock; a database from a newer program is refused, not guessed at. */
async function migrate(database: Database): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await sql`create table if not exists schema_version (version integer not null)`.execute(connection);
      const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(connection);
      const version = rows[0]?.version ?? 0;
      if (version > migrations.length) throw tooNew(version);
      for (const step of migrations.slice(version)) await step(connection);
      if (version === 0) await sql`insert into schema_version values (${migrations.length})`.execute(connection);
      else await sql`update schema_version set version = ${migrations.length}`.execute(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

function tooNew(version: number): SkillError {
  const message = `The chats were written by a newer Skillholm (schema ${version}, this one knows ${migrations.length}). Update it.`;
  return new SkillError("unavailable", message);
}
