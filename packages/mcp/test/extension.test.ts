import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { connect, hostOf, serviceOf } from "./support.ts";

const capabilities = { extensions: { "io.modelcontextprotocol/skills": {} } };

async function open(files: Readonly<Record<string, string>>, era: "old" | "new" = "new") {
  const host = hostOf(await memorySkills(files));
  const client = await connect(serviceOf(host), era, { capabilities });
  return { host, client, skills: new SkillsClient(client) };
}

const tea = {
  "brew-tea/SKILL.md": `${skillText("brew-tea", "Makes tea.", "version: 1.10\nuser-invocable: true\n")}\nBoil.\n`,
  "brew-tea/references/green & black.md": "Leaves.\n",
};

describe.each(["old", "new"] as const)("the Skills extension, for %s clients", (era) => {
  it("lists, gets and reads skills that the official client verifies", async () => {
    const { skills } = await open(tea, era);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ uri }) => uri)).toEqual(["skill://brew-tea/SKILL.md"]);
    const { skill } = await skills.get("skill://brew-tea/SKILL.md");
    expect(skill).toEqual(entries[0]);
    expect(await skills.read(skill)).toMatchObject({ verified: true, frontmatter: { version: 1.1 } });
    expect(await skills.read(skill, "references/green & black.md")).toMatchObject({
      verified: true,
      text: "Leaves.\n",
    });
    await expect(skills.get("skill://nothing/SKILL.md")).rejects.toThrow("No skill is served");
  });

  it("reads folders", async () => {
    const { skills } = await open(tea, era);
    expect(skills.directoryRead).toBe(true);
    const { resources } = await skills.readDirectory("skill://brew-tea");
    expect(resources).toMatchObject([
      { uri: "skill://brew-tea/SKILL.md", mimeType: "text/markdown", size: expect.any(Number) },
      { uri: "skill://brew-tea/references", mimeType: "inode/directory" },
    ]);
    const below = await skills.readDirectory("skill://brew-tea/references");
    expect(below.resources).toMatchObject([{ name: "green & black.md", size: 8 }]);
    await expect(skills.readDirectory("skill://brew-tea/SKILL.md")).rejects.toThrow("not a directory");
  });
});

describe("the Skills extension", () => {
  it("gives what breaks its limits a frontmatter that fits, and says so", async () => {
    const long = "Makes tea for everybody who asks. ".repeat(60);
    const { skills, host } = await open({
      "long/SKILL.md": `${skillText("long", long)}\nThe body.\n`,
      "typed/SKILL.md": `${skillText("typed", "Has: numbers.", "metadata:\n  version: 1.0\n")}\nThe body.\n`,
      "unnamed/SKILL.md": "---\ndescription: Has no name.\n---\nThe body.\n",
    });
    const { skills: entries } = await skills.list();
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual(["long", "typed", "unnamed"]);
    const [first, second] = entries;
    expect(first?.frontmatter.description).toMatch(/^Makes tea.{900,1012}asks\.…$/);
    expect(second?.frontmatter.metadata).toEqual({ version: "1.0" });
    for (const entry of entries) {
      const { verified, body } = await skills.read(entry);
      expect([verified, body?.trim().split("\n").at(-1)]).toEqual([true, "The body."]);
    }
    expect(host.reports.join("\n")).toMatch(/long: .*1-1024 characters.*typed: .*unnamed: /s);
  });

  it("leaves to the tools what it has no name for, and says so once", async () => {
    const files = { "Tea Time/SKILL.md": skillText("Tea Time"), "a/SKILL.md": skillText("a") };
    const { skills, client, host } = await open(files);
    for (let round = 0; round < 2; round++) expect((await skills.list()).skills).toHaveLength(1);
    const loaded = await client.callTool({ name: "activate_skill", arguments: { name: "Tea Time" } });
    expect(loaded.isError).toBe(false);
    expect(host.reports).toEqual([expect.stringMatching(/^Tea Time: .*do not see it; tools give it/)]);
  });

  it("does not fill a terminal with what it says", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `Skill ${n}`);
    const { skills, host } = await open(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)])));
    await skills.list();
    expect(host.reports).toHaveLength(21);
    expect(host.reports.at(-1)).toContain("skillholm doctor --for mcp");
  });

  it("hides from models what its author keeps from them", async () => {
    const own = skillText("own", "For people.", "disable-model-invocation: true\n");
    const { skills, client } = await open({ ...tea, "own/SKILL.md": own });
    expect((await skills.list()).skills).toHaveLength(1);
    await expect(client.readResource({ uri: "skill://own/SKILL.md" })).rejects.toThrow();
  });

  it("goes on from page to page, whatever comes and goes", async () => {
    const name = (n: number) => `skill-${String(n).padStart(4, "0")}`;
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [`${name(n)}/SKILL.md`, skillText(name(n))]),
    );
    const { skills, client } = await open(files);
    const first = await client.listResources({ cursor: undefined });
    expect((await skills.list()).skills).toHaveLength(250);
    expect(first.resources.length).toBeGreaterThanOrEqual(100);
    await expect(skills.list({ cursor: "nonsense" })).rejects.toThrow("cursor");
  });

  it.each([
    "skill://brew-tea/../other/SKILL.md",
    "skill://brew-tea/%2e%2e/other",
    "skill://brew-tea/references%2f..%2f..%2fx",
    "skill://brew-tea/SKILL.md?x=1",
    "skill://Brew-Tea/SKILL.md",
    "skill:///etc/passwd",
    "file:///etc/passwd",
    "skill://brew-tea",
  ])("serves nothing at %s", async (uri) => {
    const { client } = await open(tea);
    await expect(client.readResource({ uri })).rejects.toThrow();
  });
});
