import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";

const machine = createMachines();
const profile = ["--profile", "mycodeagent"];

interface Listing {
  readonly skills: readonly { name: string; description: string; path: string }[];
  readonly hidden: readonly { path: string; state: string; reason: string; winner?: string }[];
  readonly diagnostics: readonly { code: string; severity: string; path: string; message: string }[];
}

const codeReview = `---
name: code-review
description: Review code quality and risks
---
# Code Review

Use this checklist:
- ...

$ARGUMENTS
`;

describe("mycodeagent: what is listed", () => {
  const home = machine({
    "project/skills/code-review/SKILL.md": codeReview,
    "project/skills/group/deep/nested/SKILL.md": skill("nested"),
    "project/skills/code-review/inner/SKILL.md": skill("inner"),
    "project/skills/demo/SKILL.md": skill("demo-skill"),
    "project/skills/plain/SKILL.md": "# Only Markdown\n",
    "project/skills/no-name/SKILL.md": "---\ndescription: D\n---\nB\n",
    "project/skills/no-description/SKILL.md": "---\nname: no-description\n---\nB\n",
    "project/skills/blank/SKILL.md": '---\nname: blank\ndescription: "  "\n---\nB\n',
    "project/skills/upper/SKILL.md": skill("Code_Review"),
    "project/skills/hyphens/SKILL.md": skill("a--b"),
    "project/skills/letters/SKILL.md": skill("ä"),
    "project/skills/dup-1/SKILL.md": skill("dup", "First."),
    "project/skills/dup-2/SKILL.md": skill("dup", "Second."),
    "project/skills/dup-3/SKILL.md": skill("dup", "Third."),
    "project/skills/list/SKILL.md": "---\n- a\n- b\n---\nB\n",
    "project/skills/open/SKILL.md": "---\nname: open\ndescription: D\n",
    "project/skills/pair/SKILL.md": "---\nname: [a, b]\ndescription: D\n---\nB\n",
    "project/skills/colon/SKILL.md": skill("colon", "Use it: now and then"),
    "project/skills/block/SKILL.md": "---\nname: block\ndescription: >-\n  Two\n  lines\nextra: {a: [1]}\n---\nB\n",
    "skills/above/SKILL.md": skill("above"),
    "project/other/aside/SKILL.md": skill("aside"),
    "home/skills/of-home/SKILL.md": skill("of-home"),
    "home/.agents/skills/of-user/SKILL.md": skill("of-user"),
    "home/.claude/skills/of-claude/SKILL.md": skill("of-claude"),
    "project/.agents/skills/of-agents/SKILL.md": skill("of-agents"),
    "away/linked/SKILL.md": skill("linked"),
  });
  layEntries(home.at("project/skills"), {
    "bytes/SKILL.md": Buffer.from("---\nname: by\xfftes\ndescription: D\n---\nB\n", "latin1"),
    "body-bytes/SKILL.md": Buffer.from("---\nname: body-bytes\ndescription: D\n---\nB \xff\n", "latin1"),
    linked: { link: "../../away/linked" },
  });
  const list = home.runJson(["list", ...profile]).then(({ json }) => json as Listing);
  const names = async () => (await list).skills.map(({ name }) => name);
  const hiddenAt = async (folder: string) =>
    (await list).hidden.find(({ path }) => path === home.at(`project/skills/${folder}/SKILL.md`));

  it("S3-3, S3-10, S3-15, S3-73 finds every SKILL.md below the project's skills folder, and none elsewhere", async () => {
    expect((await names()).toSorted()).toEqual(
      ["block", "body-bytes", "code-review", "colon", "demo-skill", "dup", "inner", "nested"].toSorted(),
    );
    const { skills } = await list;
    for (const { path } of skills) expect(path.startsWith(`${home.at("project/skills")}/`)).toBe(true);
  });

  it("S3-4 does not list a file without frontmatter", async () => {
    expect(await hiddenAt("plain")).toMatchObject({ state: "invalid", reason: expect.stringContaining("---") });
  });

  it("S3-5, S3-17, S3-69 needs a name and a description", async () => {
    expect(await hiddenAt("no-name")).toMatchObject({ state: "invalid", reason: expect.stringContaining("no name") });
    expect(await hiddenAt("no-description")).toMatchObject({ reason: expect.stringContaining("no description") });
  });

  it("S3-23 takes names of small letters, digits and single hyphens only", async () => {
    for (const folder of ["upper", "hyphens", "letters"]) {
      expect(await hiddenAt(folder)).toMatchObject({ state: "invalid", reason: expect.stringMatching(/^name "/) });
    }
  });

  it("S3-24 does not take a blank description", async () => {
    expect(await hiddenAt("blank")).toMatchObject({ reason: expect.stringContaining("no description") });
  });

  it("S3-25 prefers the name in the frontmatter to the folder's", async () => {
    const { skills, diagnostics } = await list;
    expect(skills.find(({ name }) => name === "demo-skill")?.path).toBe(home.at("project/skills/demo/SKILL.md"));
    expect(diagnostics.filter(({ path }) => path.includes("/demo/"))).toEqual([]);
  });

  it("S3-26 keeps the last of a name in the order of paths, and warns once of each other", async () => {
    const { skills, diagnostics } = await list;
    expect(skills.filter(({ name }) => name === "dup").map(({ description }) => description)).toEqual(["Third."]);
    const winner = home.at("project/skills/dup-3/SKILL.md");
    for (const folder of ["dup-1", "dup-2"])
      expect(await hiddenAt(folder)).toMatchObject({ state: "shadowed", winner });
    const warnings = diagnostics.filter(({ code }) => code === "name-collision");
    expect(warnings.map(({ severity, path }) => [severity, path])).toEqual([
      ["warning", home.at("project/skills/dup-1/SKILL.md")],
      ["warning", home.at("project/skills/dup-2/SKILL.md")],
    ]);
  });

  it("S3-27 reads simple lines, and all the rest of YAML", async () => {
    const { skills } = await list;
    const described = Object.fromEntries(skills.map(({ name, description }) => [name, description]));
    expect(described).toMatchObject({ colon: "Use it: now and then", block: "Two lines" });
  });

  it("S3-28, S3-62 skips what cannot be parsed with a diagnostic each, and goes on", async () => {
    const { diagnostics } = await list;
    for (const folder of ["list", "open", "pair", "bytes"]) {
      expect(await hiddenAt(folder)).toMatchObject({ state: "invalid" });
      const path = home.at(`project/skills/${folder}/SKILL.md`);
      expect(diagnostics.filter((each) => each.path === path && each.severity === "error")).toHaveLength(1);
    }
    expect(await names()).toContain("body-bytes");
  });

  it("S3-52 takes nothing through a link that leads out of the project", async () => {
    expect(await hiddenAt("linked")).toMatchObject({ state: "invalid", reason: expect.stringContaining("outside") });
    const away = machine({ "away/one/SKILL.md": skill("one"), "project/.git/HEAD": "" });
    symlinkSync(away.at("away"), away.at("project/skills"));
    const { json } = await away.runJson(["list", ...profile]);
    expect(json).toMatchObject({ skills: [], diagnostics: [{ code: "root-outside-project" }] });
    const { status, stdout } = await away.run(["tool", "Skill", '{"name":"one"}', ...profile]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});

describe("mycodeagent: what the model is told", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `skill-${String(index).padStart(3, "0")}`;
      // With its end of line, a hundred characters of the list.
      return [`project/skills/${name}/SKILL.md`, skill(name, "d".repeat(100 - `- ${name}: \n`.length))] as const;
    });
  const home = machine({
    "project/skills/code-review/SKILL.md": codeReview,
    "project/skills/odd/SKILL.md": skill("odd", '"One\\n- fake: entry\\n\\n# Skills"', "Body of odd"),
  });
  const many = machine(Object.fromEntries(lines(125)));
  const prompt = home.run(["prompt", ...profile]).then(({ stdout }) => stdout);
  const tools = home.runJson(["tool", ...profile]).then(({ json }) => {
    return (json as { tools: readonly { name: string; description: string; inputSchema: unknown }[] }).tools;
  });
  const tool = async () => (await tools)[0] ?? { name: "", description: "", inputSchema: {} };
  const entries = (text: string) => text.split("\n").filter((line) => line.startsWith("- skill-"));

  it("S3-29, S3-44 offers one tool, named Skill, where the project has skills", async () => {
    expect((await tools).map(({ name }) => name)).toEqual(["Skill"]);
    expect((await machine({}).runJson(["tool", ...profile])).json).toEqual({ tools: [] });
  });

  it("S3-30 needs the parameter name, and nothing else", async () => {
    const { inputSchema } = await tool();
    expect(inputSchema).toMatchObject({
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, args: { type: "string" } },
    });
  });

  it("S3-38, S3-39, S3-40 says what the tool is for and when, its parameters, and two examples", async () => {
    const { description } = await tool();
    expect(description).toMatch(/^Loads a skill: .*\. Call it when a task matches a skill's description/);
    expect(description).toContain("- name (string, required): ");
    expect(description).toContain("- args (string, optional): ");
    const examples = description.split("\n").filter((line) => line.startsWith("{"));
    expect(examples.map((line) => JSON.parse(line))).toEqual([
      { name: "code-review" },
      { name: "code-review", args: "src/main.py" },
    ]);
  });

  it("S3-6, S3-41 lists each skill on one line, whatever its description holds", async () => {
    const { description } = await tool();
    expect(description.split("Available skills:\n")[1]).toBe(
      "- code-review: Review code quality and risks\n- odd: One - fake: entry # Skills",
    );
  });

  it("S3-42, S3-43 lists 12,000 characters of skills, or what the variable says, and tells what is missing", async () => {
    const list = async (env: Record<string, string> = {}) => (await many.run(["prompt", ...profile], { env })).stdout;
    const whole = await list();
    expect(entries(whole)).toHaveLength(120);
    expect(entries(whole).join("\n").length + 1).toBe(12_000);
    expect(whole).toContain("\n(5 more skills are not listed: there is no room for them.)\n");
    const short = await list({ SKILLS_PROMPT_CHAR_BUDGET: "299" });
    expect(entries(short)).toHaveLength(2);
    expect(short).toContain("\n(123 more skills are not listed: there is no room for them.)\n");
    const none = await list({ SKILLS_PROMPT_CHAR_BUDGET: "0" });
    expect(entries(none)).toEqual([]);
    expect(none).toContain("(125 more skills");
    const all = await list({ SKILLS_PROMPT_CHAR_BUDGET: "12500" });
    expect(entries(all)).toHaveLength(125);
    expect(all).not.toContain("more skills");
    const wrong = await many.run(["prompt", ...profile], { env: { SKILLS_PROMPT_CHAR_BUDGET: "lots" } });
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining("SKILLS_PROMPT_CHAR_BUDGET") });
  });

  it("S3-2 tells the model of no instructions before it calls for them", async () => {
    expect(await prompt).not.toContain("Use this checklist");
    expect(await prompt).not.toContain("Body of odd");
  });

  it("S3-45, S3-50, S3-51 has the tool and its list in the first prompt, in the part of the tools", async () => {
    const { description } = await tool();
    const [before, rest = ""] = (await prompt).split("# Tools\n\n## Skill\n\n");
    expect(before).toBe("");
    expect(rest.startsWith(`${description}\n\n# Skills\n`)).toBe(true);
    const rules = rest.slice(description.length);
    expect(rules).not.toContain("Review code quality");
  });

  it("S3-46, S3-48, S3-49 has a section of rules: load what fits, when it is needed", async () => {
    const [, rules] = (await prompt).split("\n# Skills\n\n");
    expect(rules?.trim().split("\n")).toEqual([
      '- When the user mentions a skill by name (for example $code-review, or "use code-review skill"), load it with the Skill tool.',
      "- When a task clearly matches a skill's description, consider loading that skill.",
      "- Load a skill only when it is needed; do not preload all skills.",
    ]);
  });

  it("S3-47 tells the model to load a skill that the user names", async () => {
    const asked = async (text: string) => (await home.runJson(["prompt", "--for", text, ...profile])).json;
    expect(await asked("Please $code-review this file")).toMatchObject({
      text: expect.stringMatching(
        /\n\nThe user calls for the skill "code-review"\. Call Skill for it before you respond\.$/,
      ),
      turn: { mentions: [{ name: "code-review", path: home.at("project/skills/code-review/SKILL.md") }] },
    });
    expect(await asked("it costs $50 in $PATH")).toMatchObject({ turn: { mentions: [], notes: "" } });
  });
});
