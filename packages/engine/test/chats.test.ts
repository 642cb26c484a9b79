import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { type Chats, createEngine } from "../src/index.ts";

function layMachine() {
  const base = layTree({
    "home/.agents/skills/brew-tea/SKILL.md": `${skillText("brew-tea", "Makes tea.")}\nMARKER-IN-THE-BODY\n`,
  });
  const env = { HOME: join(base, "home") };
  return {
    skill: join(base, "home/.agents/skills/brew-tea/SKILL.md"),
    database: join(base, "home/.local/share/skillholm/chats.db"),
    engine: createEngine({ cwd: join(base, "home"), env }),
  };
}

async function open(engine: ReturnType<typeof createEngine>): Promise<Chats> {
  const chats = await engine.chats();
  onTestFinished(() => chats.close());
  return chats;
}

async function say(chats: Chats, chat: string, id: string, text: string): Promise<string> {
  let said = "";
  for await (const chunk of await chats.send(chat, { id, text })) if (chunk.type === "text-delta") said += chunk.delta;
  return said;
}

describe("chats", () => {
  it("count what they activate, and what is used keeps its description where room is short", async () => {
    const others = Array.from({ length: 60 }, (_, n) => [`home/.agents/skills/a${n}/SKILL.md`, skillText(`a${n}`)]);
    const base = layTree({
      ...Object.fromEntries(others),
      "home/.agents/skills/brew-tea/SKILL.md": skillText("brew-tea", "Makes tea. Use when somebody is thirsty."),
    });
    const engine = createEngine({ cwd: join(base, "home"), env: { HOME: join(base, "home") } });
    const shownAs = async () => {
      const { entries } = await engine.prompt({ budget: 1000 });
      return entries.find(({ name }) => name === "brew-tea")?.shown;
    };
    expect(await shownAs()).toBe("none");
    await say(await open(engine), "c", "m1", "brew tea for the thirsty");
    expect(await shownAs()).toBe("full");
  });

  it("keep both sides, filled in again, with no body in the database", async () => {
    const { engine, database } = layMachine();
    const chats = await engine.chats();
    expect(await say(chats, "c", "m1", "make me some tea\nplease")).toContain("`brew-tea` fits best");
    await chats.close();
    expect(readFileSync(database).includes("brew-tea")).toBe(true);
    expect(readFileSync(database).includes("MARKER-IN-THE-BODY")).toBe(false);

    const again = await open(engine);
    expect(await again.list()).toMatchObject([{ id: "c", title: "make me some tea" }]);
    const { messages } = await again.get("c");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(JSON.stringify(messages)).toContain("MARKER-IN-THE-BODY");
  });

  it("see skills that change, come and go while they are open", async () => {
    const { engine, skill } = layMachine();
    const chats = await open(engine);
    await say(chats, "c", "m1", "tea");
    writeFileSync(skill, skillText("brew-tea", "Makes coffee."));
    expect(JSON.stringify((await chats.get("c")).messages)).toContain('"stale":"changed"');
    expect(await say(chats, "c", "m2", "coffee")).toContain("`brew-tea` fits best");
    rmSync(skill);
    expect(JSON.stringify((await chats.get("c")).messages)).toContain('"stale":"unavailable"');
    expect(await say(chats, "c", "m3", "coffee")).toContain("No skill matches that");
  });

  it("keep an answer that nobody listened to", async () => {
    const { engine } = layMachine();
    const chats = await engine.chats();
    const stream = await chats.send("c", { id: "m1", text: "tea" });
    await stream.cancel();
    await chats.close();
    expect((await (await open(engine)).get("c")).messages).toHaveLength(2);
  });

  it("answer one message at a time, and each only once", async () => {
    const { engine } = layMachine();
    const chats = await open(engine);
    const [first, second] = await Promise.allSettled([
      chats.send("c", { id: "m1", text: "tea" }),
      chats.send("c", { id: "m2", text: "tea" }),
    ]);
    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
    if (first.status === "fulfilled") await Array.fromAsync(first.value);
    await expect.poll(() => chats.send("c", { id: "m1", text: "tea" }).catch(({ code }) => code)).toBe("invalid-input");
    const { messages } = await chats.get("c");
    const answer = messages[1]?.id ?? "";
    await expect(chats.send("c", { id: answer, text: "tea" })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it.each([
    ["a chat's id with a slash", "../c", "m", "tea"],
    ["an empty message's id", "c", "", "tea"],
    ["an empty text", "c", "m", " \n"],
  ])("refuse %s and keep nothing", async (_, chat, id, text) => {
    const chats = await open(layMachine().engine);
    await expect(chats.send(chat, { id, text })).rejects.toMatchObject({ code: "invalid-input" });
    expect(await chats.list()).toEqual([]);
  });

  it("say that there is no such chat", async () => {
    await expect((await open(layMachine().engine)).get("x")).rejects.toMatchObject({ code: "resource-not-found" });
  });
});

describe("the engine", () => {
  it("hears of answers that another process gave", async () => {
    const base = layTree({
      "home/x": "",
      "work/.git/HEAD": "",
      "work/.agents/skills/ours/SKILL.md": skillText("ours"),
    });
    const options = { cwd: join(base, "work"), env: { HOME: join(base, "home") } };
    const [engine, other] = [createEngine(options), createEngine(options)];
    const names = async () => (await engine.freshSkills()).catalog.skills.map(({ name }) => name);
    expect(await names()).not.toContain("ours");
    await other.trust.add(join(base, "work"));
    expect(await names()).toContain("ours");
  });
});
