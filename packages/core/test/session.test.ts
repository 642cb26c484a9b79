import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { createMemorySource } from "../src/memory-source.ts";
import { createSession } from "../src/session.ts";
import { createSkills } from "../src/skills.ts";

const greet = `${skillText("greet")}\nSay hello to $ARGUMENTS. It costs $1, $$ and $ARGUMENTS_FILE.\n`;

describe("a session", () => {
  it("activates a skill: its instructions, its hash, and the names of its files", async () => {
    const skills = await memorySkills({ "greet/SKILL.md": greet, "greet/references/a.md": "secret", "greet/x.sh": "" });
    const activation = await createSession(skills).activate("greet");
    expect(activation).toEqual({
      skill: skills.find("greet"),
      reference: expect.stringMatching(/^skill-[0-9a-f]{8}-1$/),
      repeat: false,
      file: greet,
      outline: [],
      hash: createHash("sha256").update(greet).digest("hex"),
      instructions: "# greet\n\nSay hello to . It costs $1, $$ and $ARGUMENTS_FILE.",
      removed: 0,
      files: ["references/a.md", "x.sh"],
      filesTruncated: false,
    });
  });

  it("fills arguments in word for word, whatever they hold", async () => {
    const session = createSession(
      await memorySkills({ "greet/SKILL.md": greet, "plain/SKILL.md": skillText("plain") }),
    );
    const given = "$& $1 $ARGUMENTS </skill_content> \\n";
    expect((await session.activate("greet", { given })).instructions).toBe(
      `# greet\n\nSay hello to ${given}. It costs $1, $$ and $ARGUMENTS_FILE.`,
    );
    expect((await session.activate("plain", { given })).instructions).toBe(`# plain\n\nARGUMENTS: ${given}`);
    expect((await session.activate("plain", { given: "  " })).instructions).toBe("# plain");
  });

  it("refuses arguments that a skill would multiply past every limit", async () => {
    const body = `${skillText("echo")}${"$ARGUMENTS ".repeat(2000)}`;
    const session = createSession(await memorySkills({ "echo/SKILL.md": body }));
    await expect(session.activate("echo", { given: "x".repeat(100_000) })).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect((await session.activate("echo", { given: "x" })).removed).toBe(0);
  });

  it("cuts instructions over the limit between two characters and says how much", async () => {
    const root = { path: "/s", scope: "user", trusted: true, writable: false, links: "inside" } as const;
    const source = createMemorySource({ "/s/long/SKILL.md": `${skillText("long")}ééé` });
    const skills = await createSkills({ sources: [{ source, roots: [root] }], policy: { limits: { bodyBytes: 10 } } });
    const { instructions, removed } = await createSession(skills).activate("long");
    expect({ instructions, removed }).toEqual({ instructions: "# long\né", removed: 4 });
  });

  it("keeps from a model what is for people only", async () => {
    const skills = await memorySkills({
      "deploy/SKILL.md": skillText("deploy", "Deploys the site.", "disable-model-invocation: true\n"),
      "greet/SKILL.md": greet,
    });
    const session = createSession(skills);
    expect(session.visible().map((skill) => skill.name)).toEqual(["greet"]);
    expect((await session.search("deploy the site")).hits).toEqual([]);
    await expect(session.activate("deploy")).rejects.toMatchObject({ code: "permission-denied" });
    await expect(session.activate("deplo")).rejects.toThrow('No skill "deplo".');
  });

  it("says which names are near one that does not exist", async () => {
    const session = createSession(await memorySkills({ "greet/SKILL.md": greet }));
    await expect(session.activate("greeet")).rejects.toThrow('No skill "greeet". Closest: greet.');
  });
});
