import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { connect, hostOf, serviceOf } from "./support.ts";

const files = {
  "brew-tea/SKILL.md": `${skillText("brew-tea", "Makes tea. Use when somebody is thirsty.")}\nBoil $ARGUMENTS.\n`,
  "brew-tea/references/leaves.md": "Green, black, white.\n",
};
const extensions = { "io.modelcontextprotocol/skills": {} };

describe.each(["old", "new"] as const)("the tools, for %s clients", (era) => {
  it("find, activate and read a skill", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_skills", "activate_skill", "read_skill_resource"]);
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    const found = await client.callTool({ name: "search_skills", arguments: { query: "thirsty" } });
    expect(found.structuredContent).toMatchObject({ count: 1, results: [{ name: "brew-tea" }] });
    const input = { name: "brew-tea", arguments: "oolong" };
    const loaded = await client.callTool({ name: "activate_skill", arguments: input });
    expect(loaded.content).toEqual([{ type: "text", text: expect.stringContaining("Boil oolong.") }]);
    const file = { name: "brew-tea", path: "references/leaves.md" };
    const read = await client.callTool({ name: "read_skill_resource", arguments: file });
    expect(read.structuredContent).toMatchObject({ content: "Green, black, white.\n" });
  });

  it("give the instructions every time, since nobody knows what a client still shows", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    for (let round = 0; round < 2; round++) {
      const { structuredContent } = await client.callTool({ name: "activate_skill", arguments: { name: "brew-tea" } });
      expect(structuredContent).toMatchObject({ content: expect.stringContaining("Boil") });
    }
  });

  it("answer what cannot be done with a result that a model can act on", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    const wrong = await client.callTool({ name: "activate_skill", arguments: { name: "brew-te" } });
    expect(wrong).toMatchObject({ isError: true, structuredContent: { error: { code: "skill-not-found" } } });
    await expect(client.callTool({ name: "fly" })).rejects.toThrow('There is no tool "fly"');
  });

  it("leave activating and reading to who has the extension", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era, { capabilities: { extensions } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_skills"]);
  });

  it("tell how far they are, to who asks", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
    await client.callTool({ name: "search_skills", arguments: { query: "tea" } }, { onprogress });
    expect(heard).toEqual([0, 1]);
  });

  it("stay below what clients cut, however many skills there are", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`skill-${n}/SKILL.md`, skillText(`skill-${n}`, "Grüße, ".repeat(40))]),
    );
    const client = await connect(serviceOf(hostOf(await memorySkills(many))), era);
    const { tools } = await client.listTools();
    const texts = [client.getInstructions() ?? "", ...tools.map(({ description = "" }) => description)];
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(2000);
    expect(texts[0]).toMatch(/call search_skills.*There are 500 skills\..*These are \d+ of 500/s);
    expect(texts[0]).toContain('<skill name="skill-0"');
  });
});

describe.each(["old", "new"] as const)("rules, for %s clients", (era) => {
  const ask = [{ decision: "ask", tool: "activate_skill" }] as const;
  const call = { name: "activate_skill", arguments: { name: "brew-tea" } };

  it("ask through the client, and a yes counts once", async () => {
    const questions: string[] = [];
    let allow = true;
    const capabilities = { elicitation: { form: {} } };
    const client = await connect(serviceOf(hostOf(await memorySkills(files), ask)), era, { capabilities }, (made) => {
      made.setRequestHandler("elicitation/create", async ({ params }) => {
        questions.push(params.message);
        return { action: "accept", content: { allow } };
      });
    });
    expect(await client.callTool(call)).toMatchObject({ structuredContent: { name: "brew-tea" } });
    allow = false;
    expect(await client.callTool(call)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "permission-denied" } },
    });
    expect(questions).toHaveLength(2);
    expect(questions[0]).toContain('activate_skill of the skill "brew-tea"');
  });

  it("refuse where nobody can be asked, and where a rule denies", async () => {
    const asking = await connect(serviceOf(hostOf(await memorySkills(files), ask)), era);
    expect(await asking.callTool(call)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("nobody can be asked") }],
    });
    const rules = [{ decision: "deny", tool: "activate_skill", skill: "brew-tea" }] as const;
    const denying = await connect(serviceOf(hostOf(await memorySkills(files), rules)), era);
    expect(await denying.callTool(call)).toMatchObject({ isError: true });
    await expect(denying.readResource({ uri: "skill://brew-tea/SKILL.md" })).rejects.toThrow("denied by a rule");
    await expect(denying.getPrompt({ name: "brew-tea" })).rejects.toThrow("denied by a rule");
    const { contents } = await denying.readResource({ uri: "skill://brew-tea/references/leaves.md" });
    expect(contents).toMatchObject([{ text: "Green, black, white.\n" }]);
  });
});
