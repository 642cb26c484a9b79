import { countTokens } from "@skillholm/core";
import type { PromptReport } from "@skillholm/engine";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();

describe("prompt", () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `team/s${n}/SKILL.md`,
      skill(`s${n}`, `Counts to ${n}. Use when somebody wants to hear the numbers one after the other.`),
    ]),
  );
  const home = machine({
    ...files,
    "team/zoo/SKILL.md": skill("zoo", "Feeds zebras. Use when a zebra is hungry."),
    "team/own/SKILL.md": skill("own", "For people.\ndisable-model-invocation: true"),
    "few/a/SKILL.md": skill("a", "About a."),
    "none/x.txt": "",
    "project/.git/HEAD": "",
    "project/.agents/skills/wild/SKILL.md": skill("wild", "Not trusted."),
  });
  const prompt = async (...args: string[]): Promise<PromptReport> => {
    const { status, json } = await home.runJson(["prompt", ...args]);
    expect(status).toBe(0);
    return json as PromptReport;
  };
  const team = ["--root", home.at("team")];

  it("shows everything in full when it fits, and what it costs", async () => {
    const { text, tokens, ...rest } = await prompt("--root", home.at("few"));
    expect(tokens).toBe(countTokens(text));
    expect(rest).toEqual({
      budget: 4000,
      shown: 1,
      total: 1,
      truncated: false,
      entries: [
        {
          name: "a",
          path: home.at("few/a/SKILL.md"),
          tokens: expect.any(Number),
          shown: "full",
          reason: "it fits",
        },
      ],
    });
    expect(text).toContain("<description>About a.</description>");
  });

  it.each([4000, 1500, 600, 200, 0])("keeps to a budget of %i tokens and accounts for all", async (budget) => {
    const { text, tokens, shown, total, truncated, entries } = await prompt("--budget", String(budget), ...team);
    expect(tokens).toBe(countTokens(text));
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(total).toBe(61);
    expect(entries).toHaveLength(61);
    expect(entries.filter((entry) => entry.shown !== "none")).toHaveLength(shown);
    expect(truncated).toBe(entries.some((entry) => entry.shown !== "full"));
    if (shown > 0 && shown < total) expect(text).toContain(`${shown} of ${total} skills. Call search_skills`);
  });

  it("gives the space to a task", async () => {
    const short = ["--budget", "600", ...team];
    expect((await prompt(...short)).entries.find(({ name }) => name === "zoo")).not.toMatchObject({ shown: "full" });
    const { entries, text } = await prompt("--for", "my zebra is hungry", ...short);
    expect(entries.find(({ name }) => name === "zoo")).toMatchObject({ shown: "full", reason: "it fits the task" });
    expect(text).toContain("Feeds zebras.");
  });

  it("takes the budget from the configuration", async () => {
    const config = machine({ "home/.config/skillholm/config.toml": "[skills]\nbudget_tokens = 300\n" });
    const { json } = await config.runJson(["prompt", ...team]);
    expect(json).toMatchObject({ budget: 300 });
  });

  it("knows nothing of what is for people only, or not trusted", async () => {
    expect((await prompt(...team)).text).not.toContain("own");
    const { text, entries } = await prompt();
    expect(text).not.toContain("wild");
    expect(entries.some(({ name }) => name === "wild")).toBe(false);
  });

  it("explains each entry", async () => {
    const { stdout, stderr } = await home.run(["prompt", "--explain", "--budget", "600", ...team]);
    expect(stdout).toMatch(/ +\d+ {2}name {3}s0 {2}there is room for its name only/);
    expect(stdout).toMatch(/ +0 {2}none {3}s9 {2}there is no room for it/);
    expect(stderr).toMatch(/\d+ of 61 skills: \d+ of 600 tokens/);
  });

  it("says nothing to the model when there are no skills", async () => {
    expect(await prompt("--root", home.at("none"))).toMatchObject({ text: "", tokens: 0, total: 0, truncated: false });
  });

  it.each([
    [["--budget", "-1"], "--budget"],
    [["--budget", "much"], '--budget: "much" should be a whole number of tokens'],
    [["--for", " "], "--for: an empty text is no task"],
  ])("refuses %j", async (options, message) => {
    const { status, json } = await home.runJson(["prompt", ...options, ...team]);
    expect(status).toBe(2);
    expect((json as { error: { message: string } }).error.message).toContain(message);
  });
});
