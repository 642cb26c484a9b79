import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { parseLedger } from "../src/ledger.ts";
import { createMemorySource } from "../src/memory-source.ts";
import type { Session, SessionActivateOptions } from "../src/session.ts";
import { createSkills } from "../src/skills.ts";

const files = {
  "a/SKILL.md": `${skillText("a")}\nThe secret body of a.\n`,
  "b/SKILL.md": skillText("b"),
  "c/SKILL.md": skillText("c"),
};

/** Activates as a tool does: what was given is kept, unless a reminder is enough. */
async function give(session: Session, name: string, options?: SessionActivateOptions): Promise<string> {
  const activation = await session.activate(name, options);
  const text = `<skill name="${name}">\n${activation.instructions}\n</skill>`;
  if (activation.repeat) return `see ${activation.reference}`;
  await session.keep(activation, text);
  return text;
}

describe("a session's ledger", () => {
  it("gives the body every time to a host that cannot show its messages", async () => {
    const session = (await memorySkills(files)).session();
    expect(await give(session, "a")).toBe(await give(session, "a"));
  });

  it("reminds while the messages hold what was given, of whatever shape they are", async () => {
    const session = (await memorySkills(files)).session();
    const text = await give(session, "a");
    const { reference } = session.ledger().activated[0] ?? {};
    for (const messages of [
      [{ role: "tool", content: [{ type: "tool-result", output: { type: "text", value: text } }] }],
      [{ role: "tool", content: `before ${text} after` }],
      [{ type: "function_call_output", output: JSON.stringify({ content: text }) }],
      { nested: [[JSON.stringify([JSON.stringify({ text })])]] },
    ]) {
      expect((await session.observe(messages)).inContext).toEqual(["a"]);
      expect(await give(session, "a")).toBe(`see ${reference}`);
    }
  });

  it("gives the body again after compaction, and to other arguments", async () => {
    const session = (await memorySkills(files)).session();
    const text = await give(session, "a");
    await session.observe([text]);
    expect(await give(session, "a", { given: "x" })).toContain("ARGUMENTS: x");
    for (const messages of [
      [],
      "a summary",
      [text.slice(0, -5)],
      [text.replace("secret", "public")],
      [`see skill-1`],
    ]) {
      expect((await session.observe(messages)).inContext).toEqual([]);
      expect(await give(session, "a")).toBe(text);
    }
  });

  it("counts what was given in this turn as still there, once messages were shown", async () => {
    const session = (await memorySkills(files)).session();
    await session.observe([]);
    await give(session, "a");
    expect(await give(session, "a")).toMatch(/^see /);
  });

  it("says which activated skills have changed or are gone", async () => {
    const all: Record<string, string> = { "/s/a/SKILL.md": skillText("a"), "/s/b/SKILL.md": skillText("b") };
    const root = { path: "/s", scope: "user", trusted: true, writable: true, links: "inside" } as const;
    const memory = () => createMemorySource(all);
    // A disk that changes: the files are read anew at every call.
    const source = {
      scan: (...args: Parameters<ReturnType<typeof memory>["scan"]>) => memory().scan(...args),
      files: (...args: Parameters<ReturnType<typeof memory>["files"]>) => memory().files(...args),
      read: (...args: Parameters<ReturnType<typeof memory>["read"]>) => memory().read(...args),
      readStart: (...args: Parameters<ReturnType<typeof memory>["readStart"]>) => memory().readStart(...args),
    };
    const skills = await createSkills({ sources: [{ source, roots: [root] }] });
    const session = skills.session();
    await give(session, "a");
    await give(session, "b");
    expect(await session.observe([])).toEqual({ inContext: [], changed: [], removed: [] });
    all["/s/a/SKILL.md"] = skillText("a", "Another.");
    delete all["/s/b/SKILL.md"];
    await skills.reload();
    expect(await session.observe([])).toEqual({ inContext: [], changed: ["a"], removed: ["b"] });
  });

  it("can be stored and gone on with, and holds no text", async () => {
    const skills = await memorySkills(files);
    const session = skills.session({ context: "kept" });
    await give(session, "a", { given: "this file" });
    await session.read("a", "SKILL.md");
    const stored = JSON.stringify(session.ledger());
    expect(stored).not.toContain("secret body");
    expect(stored).toContain("this file");
    const next = skills.session({ ledger: parseLedger(JSON.parse(stored)), context: "kept" });
    expect(await give(next, "a", { given: "this file" })).toMatch(/^see skill-/);
    expect((await next.view()).activated).toEqual(["a"]);
    expect(next.ledger().read).toEqual([
      { name: "a", path: "/s/a/SKILL.md", file: "SKILL.md", at: expect.any(String) },
    ]);
  });

  it("counts what was given before as gone where nobody knows the messages", async () => {
    const skills = await memorySkills(files);
    const session = skills.session({ context: "kept" });
    const text = await give(session, "a");
    expect(await give(skills.session({ ledger: session.ledger() }), "a")).toBe(text);
  });

  it("gives each activation a reference of its own, also after more than it keeps", async () => {
    const session = (await memorySkills(files)).session({ context: "kept" });
    const references = new Set<string>();
    for (let n = 0; n < 1010; n++) references.add((await session.activate("a", { given: `n${n}` })).reference);
    expect(references.size).toBe(1010);
    expect(session.ledger().activated).toHaveLength(1000);
  });

  it("stays small and quick, whatever it is given", async () => {
    const session = (await memorySkills(files)).session();
    await give(session, "a", { given: "x".repeat(100_000) });
    expect(JSON.stringify(session.ledger()).length).toBeLessThan(5000);
    const activation = await session.activate("b");
    await session.keep(activation, `---\n${"y".repeat(50_000)}`);
    // Each dash begins what could be the text.
    const started = performance.now();
    await session.observe(["x".repeat(60_000)]);
    const plain = performance.now() - started;
    const again = performance.now();
    await session.observe(["-".repeat(60_000)]);
    expect(performance.now() - again).toBeLessThan(plain * 20 + 2000);
  });

  it("takes nothing else for a ledger", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => parseLedger(value)).toThrow("This is no session");
      }),
    );
    const ledger = { version: 1, activated: [{ reference: 1 }], read: [], answers: [], decisions: [] };
    expect(() => parseLedger(ledger)).toThrow("This is no session");
  });

  it("keeps what was given within reach by its reference", async () => {
    const session = (await memorySkills(files)).session();
    const text = await give(session, "a");
    await session.observe([]);
    expect(await session.output(session.ledger().activated[0]?.reference ?? "")).toBe(text);
    expect(await session.output("skill-none-1")).toBeUndefined();
    const rules = [{ decision: "deny", tool: "activate_skill" }] as const;
    const outputs = new Map([[session.ledger().activated[0]?.reference ?? "", text]]);
    const denied = (await memorySkills(files)).session({ ledger: session.ledger(), outputs, permissions: { rules } });
    await expect(denied.output([...outputs.keys()][0] ?? "")).rejects.toMatchObject({ code: "permission-denied" });
  });
});

describe("skills that load skills", () => {
  it("are refused where they go in a circle, by the chain", async () => {
    const session = (await memorySkills(files)).session();
    await give(session, "a");
    await give(session, "b", { from: "a" });
    await give(session, "c", { from: "b" });
    await expect(session.activate("a", { from: "c" })).rejects.toThrow("a → b → c → a");
    await expect(session.activate("b", { from: "b" })).rejects.toThrow("a → b → b");
    expect((await session.activate("a")).repeat).toBe(false);
  });

  it("are refused where one is not active, or the chain is too long", async () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`s${n}/SKILL.md`, skillText(`s${n}`)]));
    const session = (await memorySkills(many)).session();
    await expect(session.activate("s1", { from: "s0" })).rejects.toThrow('"s0" is not active');
    await give(session, "s0");
    for (let n = 1; n < 8; n++) await give(session, `s${n}`, { from: `s${n - 1}` });
    await give(session, "s8", { from: "s7" }).catch(() => undefined);
    await expect(session.activate("s9", { from: "s8" })).rejects.toThrow(/8 deep|is not active/);
  });
});

describe("a session for some skills only", () => {
  it("knows no others, by whatever way", async () => {
    const skills = await memorySkills({ ...files, "team-x/SKILL.md": skillText("team-x", "Secrets of a team.") });
    for (const session of [skills.session({ only: ["a", "b*"] }), skills.session({ only: ({ name }) => name < "c" })]) {
      expect(session.visible().map(({ name }) => name)).toEqual(["a", "b"]);
      expect((await session.search("team-x")).hits.map(({ skill }) => skill.name)).not.toContain("team-x");
      await expect(session.activate("team-x")).rejects.toThrow(/^No skill "team-x"\.$/);
      await expect(session.activate("/s/team-x")).rejects.toMatchObject({ code: "skill-not-found" });
      await expect(session.read("team-x", "SKILL.md")).rejects.toMatchObject({ code: "skill-not-found" });
      expect(session.mentions("/team-x go").mentions).toEqual([]);
    }
  });
});

describe("a long skill", () => {
  const body = `# One\n\n${"word ".repeat(4000)}\n\n## Part\n\nOnly this.\n\n# Two\n\n${"more ".repeat(4000)}`;

  it("offers its outline, and its sections one by one", async () => {
    const session = (await memorySkills({ "long/SKILL.md": `${skillText("long")}\n${body}\n` })).session();
    const { outline } = await session.activate("long");
    expect(outline.map(({ title }) => title)).toEqual(["long", "One", "Part", "Two"]);
    const { instructions, outline: none } = await session.activate("long", { section: "Part" });
    expect({ instructions, none }).toEqual({ instructions: "## Part\n\nOnly this.", none: [] });
    await expect(session.activate("long", { section: "Prat" })).rejects.toThrow('has no section "Prat". It has: Part');
  });
});
