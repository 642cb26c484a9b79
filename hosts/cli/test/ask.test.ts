import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();

describe("ask", () => {
  const { run, runJson, at } = machine({
    "home/.agents/skills/brew-tea/SKILL.md": skill("brew-tea", "Makes tea.", "# Brew_tea\n\n## 1. Boil\n\nMARKER"),
    "home/.agents/skills/evil/SKILL.md": skill("evil", "Recolours.", "# \u001b[31mred\n"),
  });

  it("prints the turn: the search, the activation as a line, the answer", async () => {
    const { status, stdout, stderr } = await run(["ask", "I", "want", "tea"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "▸ search_skills I want tea  1 skill: brew-tea",
      "",
      expect.stringMatching(/^▸ activate_skill brew-tea {2}\d+ tokens$/),
      "",
      "The skill `brew-tea` fits best, and is activated.",
      "",
      "Its instructions in outline:",
      "",
      "- Brew_tea",
      "  - 1. Boil",
      "",
      "*I am the built-in guide, not a language model: I find skills and show them. I cannot follow them.*",
      "",
    ]);
  });

  it("gives the same as data", async () => {
    const { status, json } = await runJson(["ask", "tea please"]);
    expect(status).toBe(0);
    expect(json).toEqual({
      model: { id: "guide", languageModel: false },
      answer: expect.stringContaining("`brew-tea` fits best"),
      calls: [
        { tool: "search_skills", input: { query: "tea please" }, output: expect.objectContaining({ count: 1 }) },
        {
          tool: "activate_skill",
          input: { name: "brew-tea" },
          output: expect.objectContaining({
            name: "brew-tea",
            path: at("home/.agents/skills/brew-tea/SKILL.md"),
            content: expect.stringContaining("MARKER"),
          }),
        },
      ],
    });
  });

  it("answers from the roots that are given", async () => {
    const { json } = await runJson(["ask", "tea", "--root", "."]);
    expect(json).toMatchObject({
      answer: expect.stringMatching(/^There is no skill here that a model may use/),
      calls: [],
    });
  });

  it("lets no skill control the terminal", async () => {
    const { stdout } = await run(["ask", "recolour"]);
    expect(stdout).toContain("red");
    expect(stdout).not.toContain("\u001b");
  });

  it("says how many skills wait for trust", async () => {
    const untrusted = machine({ "project/.git/HEAD": "", "project/.agents/skills/ours/SKILL.md": skill("ours") });
    const { stdout, stderr } = await untrusted.run(["ask", "ours"]);
    expect(stdout).toContain("No skill matches that.");
    expect(stderr).toContain("Waiting for your trust: 1 skill of this project.");
    expect(stderr).toContain(`skillholm trust ${untrusted.at("project")}`);
  });

  it("refuses an empty question", async () => {
    expect(await runJson(["ask", " "])).toEqual({
      status: 2,
      json: { error: { code: "invalid-input", message: "There is no question. Say what you need." } },
    });
  });
});
