import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { layTree } from "../../../test/support/tree.ts";
import { type ChatStore, openChats } from "../src/open-chats.ts";

const hello = { id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] };
const answer = { id: "m2", role: "assistant", parts: [{ type: "text", text: 'it\'s "you"; drop table chats' }] };

async function open(folder: string): Promise<ChatStore> {
  const store = await openChats(folder);
  onTestFinished(() => store.close());
  return store;
}

describe("the chats", () => {
  it("keep messages in their order, also for the next one who opens them", async () => {
    const folder = join(layTree({}), "deep/er");
    const store = await openChats(folder);
    await store.append({ id: "c", title: "Greetings" }, hello);
    await store.append({ id: "c", title: "not this" }, answer);
    await store.close();
    const again = await open(folder);
    expect(await again.get("c")).toMatchObject({ id: "c", title: "Greetings", messages: [hello, answer] });
    expect(await again.get("d")).toBeUndefined();
  });

  it("are listed by their last message", async () => {
    const store = await open(layTree({}));
    for (const id of ["a", "b"]) await store.append({ id, title: id }, hello);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await store.append({ id: "a", title: "a" }, answer);
    expect((await store.list(10)).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await store.list(1)).toHaveLength(1);
  });

  it("take each message once, and leave nothing of one that was refused", async () => {
    const store = await open(layTree({}));
    await store.append({ id: "c", title: "c" }, hello);
    await expect(store.append({ id: "c", title: "c" }, hello)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("UNIQUE"),
    });
    expect((await store.get("c"))?.messages).toEqual([hello]);
  });

  it("are readable by their owner only", async () => {
    const folder = layTree({});
    await (await open(folder)).append({ id: "c", title: "c" }, hello);
    expect(statSync(join(folder, "chats.db")).mode & 0o777).toBe(0o600);
  });

  it("say what is wrong with a file that is no database, and leave it as it is", async () => {
    const folder = layTree({ "chats.db": "my precious notes" });
    await expect(openChats(folder)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/chats\.db cannot be used \(.*not a database.*\)\. Mend it, or move it away/),
    });
    expect(readFileSync(join(folder, "chats.db"), "utf8")).toBe("my precious notes");
  });

  it("say which file it is when something in it is damaged", async () => {
    const folder = layTree({});
    const store = await open(folder);
    await store.append({ id: "c", title: "c" }, hello);
    const raw = new DatabaseSync(join(folder, "chats.db"));
    raw.exec("update messages set parts = '{oops'");
    raw.close();
    const path = join(folder, "chats.db");
    await expect(store.get("c")).rejects.toThrow(`${path} cannot be used`);
  });

  it("refuse a database of a newer program", async () => {
    const folder = layTree({});
    await (await openChats(folder)).close();
    const raw = new DatabaseSync(join(folder, "chats.db"));
    raw.exec("update schema_version set version = 999");
    raw.close();
    await expect(openChats(folder)).rejects.toThrow(/newer Skillholm \(schema 999/);
  });

  it("survive several processes that begin at once", async () => {
    const folder = layTree({});
    const script = join(folder, "writer.mjs");
    const entry = fileURLToPath(new URL("../src/open-chats.ts", import.meta.url));
    writeFileSync(
      script,
      `const { openChats } = await import(${JSON.stringify(entry)});
       const store = await openChats(${JSON.stringify(join(folder, "data"))});
       for (let n = 0; n < 20; n++) {
         await store.append({ id: "c", title: "c" }, { id: process.argv[2] + "-" + n, role: "user", parts: [] });
       }
       await store.close();`,
    );
    const run = (name: string) =>
      new Promise((resolve) => spawn(process.execPath, [script, name], { stdio: "inherit" }).on("exit", resolve));
    expect(await Promise.all(["a", "b", "c"].map(run))).toEqual([0, 0, 0]);
    const { messages } = (await (await open(join(folder, "data"))).get("c")) ?? { messages: [] };
    expect(new Set(messages.map(({ id }) => id)).size).toBe(60);
  });
});
