import { describe, expect, it } from "vitest";
import { createMachines } from "../../hosts/cli/test/command.ts";

const machine = createMachines();
const profile = ["--profile", "agent-base"];

interface Prompt {
  readonly text: string;
  readonly tokens: number;
  readonly shown: number;
  readonly total: number;
  readonly entries: readonly { name: string; tokens: number }[];
  readonly turn?: { triggered: readonly { name: string; by: string; match: string }[]; notes: string };
}

function manifest(name: string, more = "", body = `Body of ${name}.`): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n\n${body}\n`;
}

describe("agent-base: the three tiers at the command line", () => {
  const home = machine({
    "team/pdf/SKILL.md": manifest("pdf", "license: MIT\n", "Body of pdf: $ARGUMENTS"),
    "team/pdf/references/guide.md": "Guide of pdf\n",
    "team/pdf/assets/data.json": '{"a":1}\n',
    "team/long/SKILL.md": manifest("long", "", "A line of six words here.\n".repeat(900)),
  });
  const root = ["--root", `${home.at("team")}=user`, ...profile];
  const entry = (name: string) =>
    `<skill>\n<name>${name}</name>\n<description>About ${name}.</description>\n<location>${home.at(`team/${name}/SKILL.md`)}</location>\n</skill>\n`;
  const whole = `<available_skills>\n${entry("long")}${entry("pdf")}</available_skills>`;
  const prompt = async (...more: string[]) => (await home.runJson(["prompt", ...root, ...more])).json as Prompt;

  it("S2-2 gives metadata in the prompt, instructions by one tool, and files by another", async () => {
    expect((await prompt()).text).toBe(whole);
    const activated = await home.runJson(["tool", "activate_skill", '{"name":"pdf"}', ...root]);
    expect(activated).toEqual({ status: 0, json: manifest("pdf", "license: MIT\n", "Body of pdf: $ARGUMENTS") });
    const read = (path: string) =>
      home.runJson(["tool", "read_skill_resource", JSON.stringify({ name: "pdf", path }), ...root]);
    expect(await read("references/guide.md")).toEqual({ status: 0, json: "Guide of pdf\n" });
    expect(await read("assets/data.json")).toEqual({ status: 0, json: '{"a":1}\n' });
    expect((await read("../long/SKILL.md")).status).toBe(1);
  });

  it("S2-18 says what each skill costs, and what a budget leaves out", async () => {
    const { entries, tokens: all } = await prompt();
    expect(entries.map(({ name }) => name)).toEqual(["long", "pdf"]);
    for (const { tokens } of entries) expect(tokens).toBeGreaterThan(10);
    const small = await prompt("--budget", String(all - 1));
    expect(small).toMatchObject({ shown: 1, total: 2 });
    expect(small.text).toBe(
      `<available_skills>\n${entry("long")}</available_skills>\n1 of 2 skills are not shown: there is no room for them.`,
    );
  });

  it("S2-19 ends the first prompt with the block, and says nothing where skills are switched off", async () => {
    const { text } = await prompt("--for", "something else altogether");
    expect(text.endsWith(whole)).toBe(true);
    const off = { env: { SKILLHOLM_SKILLS_ENABLED: "false" } };
    expect((await home.runJson(["prompt", ...root], off)).json).toMatchObject({ text: "", total: 0 });
  });

  it("S2-21 warns of instructions over 5,000 tokens, and cuts them where that is configured", async () => {
    const { json } = await home.runJson(["validate", home.at("team/long")]);
    const [{ diagnostics }] = (json as { results: [{ diagnostics: readonly { message: string }[] }] }).results;
    expect(diagnostics.map(({ message }) => message).join()).toMatch(/the instructions are about \d+ tokens .* 5000/);
    const call = ["tool", "activate_skill", '{"name":"long"}', ...root];
    const limit = { env: { SKILLHOLM_SKILLS_BODY_TOKENS_MAX: "100" } };
    const [full, cut] = [await home.run(call), await home.run(call, limit)];
    expect(full.stdout.match(/six words/g)).toHaveLength(900);
    expect(cut.stdout.match(/six words/g)?.length).toBeLessThan(30);
    expect(cut.stdout).toMatch(/^---\nname: long\ndescription: About long\.\n---\n\nA line/);
    expect(cut.stdout).toMatch(/here\.\n\n\[SKILL\.md goes on: it is too long, and was cut here\.\]\n$/);
  });

  it("S2-56 offers its tools through the same registry as every profile, with a schema each", async () => {
    const { json } = await home.runJson(["tool", ...root]);
    const { tools } = json as { tools: readonly { name: string; inputSchema: { required: string[] } }[] };
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
      ["activate_skill", ["name"]],
      ["read_skill_resource", ["name", "path"]],
      ["script_list", ["skill_name"]],
      ["script_help", ["skill_name", "script_name"]],
      ["script_run", ["skill_name", "script_name"]],
    ]);
    const wrong = await home.run(["tool", "read_skill_resource", '{"name":"pdf","path":5}', ...root]);
    expect(wrong).toMatchObject({ status: 1, stdout: expect.stringContaining("path: Invalid input") });
  });
});

describe("agent-base: triggers", () => {
  const triggers = (text: string) => `triggers:\n${text}`;
  const home = machine({
    "team/hello/SKILL.md": manifest(
      "hello",
      triggers('  keywords: ["hello", "greet"]\n  verbs: ["say", "wave"]\n  patterns: ["greet\\\\s+\\\\w+"]\n'),
    ),
    "team/slow/SKILL.md": manifest("slow", triggers('  patterns: ["(x+x+)+y", "(", "(?=a)", ".*"]\n')),
    ...Object.fromEntries(
      ["one", "two", "three", "four"].map((name) => [
        `team/${name}/SKILL.md`,
        manifest(name, triggers(`  keywords: [count, ${name}]\n`)),
      ]),
    ),
    "team/quiet/SKILL.md": manifest("quiet"),
  });
  const root = ["--root", `${home.at("team")}=user`, ...profile];
  const turn = async (text: string) => {
    const { json } = await home.runJson(["prompt", "--for", text, ...root]);
    return json as Prompt & { turn: NonNullable<Prompt["turn"]> };
  };
  const triggered = async (text: string) =>
    (await turn(text)).turn.triggered.map(({ name, by, match }) => [name, by, match]);

  it("S2-46 finds a keyword as a whole word, in any case", async () => {
    expect(await triggered("Well, HELLO there")).toEqual([["hello", "keyword", "hello"]]);
    expect(await triggered("Othello and helloworld")).toEqual([]);
  });

  it("S2-47 finds a verb as a whole word", async () => {
    expect(await triggered("please say hi")).toEqual([["hello", "verb", "say"]]);
    expect(await triggered("write an essay in the microwave")).toEqual([]);
  });

  it("S2-48 finds a pattern, tells of those that cannot run, and none of them can hang", async () => {
    const found = (await turn("now greet\t Ada Lovelace")).turn.triggered;
    expect(found).toMatchObject([{ name: "hello" }]);
    expect(await triggered(`${"x".repeat(5000)}!`)).toEqual([]);
    expect(await triggered(`${"x".repeat(5000)}y`)).toMatchObject([["slow", "pattern", expect.stringMatching(/^x+/)]]);
    const { json } = await home.runJson(["list", ...root]);
    const { diagnostics } = json as { diagnostics: readonly { code: string; path: string; message: string }[] };
    const own = diagnostics.filter(({ code }) => code === "trigger-pattern");
    expect(own.map(({ path }) => path)).toEqual([home.at("team/slow/SKILL.md"), home.at("team/slow/SKILL.md")]);
    expect(own.map(({ message }) => message).join("\n")).toMatch(/"\(" is not used[\s\S]*"\(\?=a\)" is not used/);
  });

  it("S2-5, S2-49 puts the instructions of what matches into that turn, of three skills at the most", async () => {
    const { text } = await turn("please say hello");
    expect(text.endsWith('</available_skills>\n\n<active_skill name="hello">\nBody of hello.\n</active_skill>')).toBe(
      true,
    );
    expect((await turn("nothing of that")).text).not.toContain("Body of");
    const many = await turn("count one two three four");
    expect(many.text.match(/<active_skill /g)).toHaveLength(3);
    expect(many.turn.triggered).toHaveLength(3);
  });

  it("knows the key only while triggers are on, and no skill of triggers is listed then", async () => {
    const off = { env: { SKILLHOLM_SKILLS_TRIGGERS: "off" } };
    const { json } = await home.runJson(["list", ...root], off);
    const { skills, hidden } = json as { skills: readonly { name: string }[]; hidden: readonly { reason: string }[] };
    expect(skills.map(({ name }) => name)).toEqual(["quiet"]);
    expect(hidden).toHaveLength(6);
    for (const { reason } of hidden) expect(reason).toContain('unknown key "triggers"');
  });
});
