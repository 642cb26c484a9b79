import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { connect, hostOf, serviceOf } from "./support.ts";

const declared = 'arguments: [format, file]\nargument-hint: "[json|csv] <file>"\n';
const files = {
  "convert/SKILL.md": `${skillText("convert", "Converts.", declared)}\nTo $format: $file.\n`,
  "brew-tea/SKILL.md": `${skillText("brew-tea", "Makes tea.", "disable-model-invocation: true\n")}\nBoil $ARGUMENTS.\n`,
  "silent/SKILL.md": skillText("silent", "Is not for people.", "user-invocable: false\n"),
};

describe.each(["old", "new"] as const)("prompts, for %s clients", (era) => {
  it("are the skills that people may call, with their arguments", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: given }) => [name, given])).toEqual([
      ["brew-tea", [{ name: "arguments", description: "What the skill should work on", required: false }]],
      [
        "convert",
        [
          { name: "format", description: "[json|csv]", required: false },
          { name: "file", description: "<file>", required: false },
        ],
      ],
    ]);
    await expect(client.getPrompt({ name: "silent" })).rejects.toThrow('There is no prompt "silent"');
  });

  it("give the same text as the tool, with what was given in its places", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    const given = { format: "c s v", file: 'my "own" file.txt' };
    const { messages } = await client.getPrompt({ name: "convert", arguments: given });
    expect(messages).toMatchObject([
      { role: "user", content: { text: expect.stringContaining('To c s v: my "own" file.txt.') } },
    ]);
    const tea = await client.getPrompt({ name: "brew-tea", arguments: { arguments: "oolong" } });
    expect(tea.messages).toMatchObject([{ content: { text: expect.stringContaining("Boil oolong.") } }]);
  });

  it("complete what a hint lists, and addresses", async () => {
    const client = await connect(serviceOf(hostOf(await memorySkills(files))), era);
    const complete = async (name: string, value: string) => {
      const ref = { type: "ref/prompt", name: "convert" } as const;
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    };
    expect(await complete("format", "")).toEqual(["json", "csv"]);
    expect(await complete("format", "c")).toEqual(["csv"]);
    expect(await complete("file", "")).toEqual([]);
    const ref = { type: "ref/resource", uri: "skill://{+path}" } as const;
    const found = await client.complete({ ref, argument: { name: "path", value: "co" } });
    expect(found.completion.values).toEqual(["convert/SKILL.md"]);
  });
});
