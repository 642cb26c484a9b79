import { describe, expect, it } from "vitest";
import { createMachines, skill } from "../../hosts/cli/test/command.ts";
import { activate, callTools, remcochat, switchedOn } from "./remcochat-machine.ts";

const machine = createMachines();

interface Listing {
  readonly skills: readonly Readonly<Record<string, unknown>>[];
  readonly invalid: readonly { readonly skillDir: string; readonly skillMdPath: string; readonly error: string }[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

const head = (lines: string, body = "Do it.\n") => `---\n${lines}\n---\n${body}`;
const described = (name: string, description: string) => head(`name: ${name}\ndescription: ${description}`);

const full = `---
name: full
description: >
  Does all of it.
  Use when asked.
license: MIT
compatibility: |
  Needs git.
  And Linux.
metadata:
  version: 1.0
  count: 7
  wanted: true
  "on": no
allowed-tools: Read Bash(git add:*)
foo: 1
disable-model-invocation: true
user-invocable: false
---
# Full
`;

const long = (count: number) => "n".repeat(count);

/** What a folder's SKILL.md says → whether it is a skill, else what is said of it. */
const cases: Readonly<Record<string, readonly [text: string, error: RegExp | "valid"]>> = {
  full: [full, "valid"],
  commas: [head("name: commas\ndescription: D.\nallowed-tools: Read, Bash(git:*), Grep"), "valid"],
  plain: [skill("plain"), "valid"],
  "0": [skill("0"), "valid"],
  "a-1-b": [skill("a-1-b"), "valid"],
  [long(64)]: [skill(long(64)), "valid"],
  [long(65)]: [skill(long(65)), /65 characters/],
  A: [skill("A"), /lower/],
  a_b: [skill("a_b"), /"a_b"/],
  "a.b": [skill("a.b"), /"a\.b"/],
  "a b": [skill("a b"), /"a b"/],
  "-a": [skill('"-a"'), /hyphen/],
  "a-": [skill("a-"), /hyphen/],
  "a--b": [skill("a--b"), /hyphen/],
  größe: [skill("größe"), /only a to z/],
  folder: [skill("other"), /name is "other", folder is "folder"/],
  "no-name": [head("description: D."), /no name/],
  "empty-name": [described('""', "D."), /no name/],
  "null-name": [described("~", "D."), /no name/],
  "list-name": [described("[list-name]", "D."), /name is a list/],
  "map-name": [described("{ a: b }", "D."), /the name is not certain/],
  "no-description": [head("name: no-description"), /no description/],
  blank: [described("blank", '"   "'), /no description/],
  "list-description": [described("list-description", "[a, b]"), /description is a list/],
  d1: [described("d1", "x"), "valid"],
  d1024: [described("d1024", "é".repeat(1024)), "valid"],
  d1025: [described("d1025", "é".repeat(1025)), /1025 characters/],
  emoji: [described("emoji", "🍵".repeat(1024)), "valid"],
  leading: [`Hello\n${skill("leading")}`, /the first line should be "---"/],
  unclosed: ["---\nname: unclosed\ndescription: D.\n", /no closing "---"/],
  none: ["# Only text\n", /does not begin with a "---" line/],
  zero: ["", /the file is empty/],
  text: ["---\njust some text\n---\n", /not a list of keys and values/],
};

describe("what RemcoChat takes for a skill", () => {
  const files = Object.entries(cases).map(([folder, [text]]) => [`project/.skills/${folder}/SKILL.md`, text]);
  const theirs = { "project/.skills/full/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n" };
  const at = machine({ ...switchedOn, ...theirs, ...Object.fromEntries(files) });
  let listed: Promise<Listing> | undefined;
  const listing = () => {
    listed ??= remcochat<Listing>(at, ["list"]);
    return listed;
  };
  const find = async (name: string) => (await listing()).skills.find((each) => each.name === name);
  const errorOf = async (folder: string) => {
    const { invalid } = await listing();
    return invalid.find(({ skillDir }) => skillDir === at.at(`project/.skills/${folder}`))?.error;
  };
  /** Every case is as the table says: listed, or invalid for its reason. */
  const expectCases = async (...folders: string[]) => {
    for (const folder of folders) {
      const [, error] = cases[folder] ?? ["", "valid"];
      const seen = { folder, listed: (await find(folder)) !== undefined, error: await errorOf(folder) };
      const expected = error === "valid" ? undefined : expect.stringMatching(error);
      expect(seen).toEqual({ folder, listed: error === "valid", error: expected });
    }
  };

  it("S0-15, S0-56 takes a folder with nothing but a SKILL.md", async () => {
    await expectCases("plain", "d1");
    expect(await find("plain")).toEqual({
      name: "plain",
      description: "About plain.",
      scope: "project",
      path: at.at("project/.skills/plain/SKILL.md"),
      dir: at.at("project/.skills/plain"),
      enabled: true,
      forModels: true,
      skillDir: at.at("project/.skills/plain"),
      skillMdPath: at.at("project/.skills/plain/SKILL.md"),
      sourceDir: at.at("project/.skills"),
    });
  });

  it("S0-16, S0-52 wants the name of the folder", () => expectCases("folder"));

  it("S0-2, S0-43, S0-44, S0-45, S0-57 keeps every field, and where it was found", async () => {
    expect(await find("full")).toMatchObject({
      name: "full",
      description: "Does all of it. Use when asked.",
      license: "MIT",
      compatibility: "Needs git.\nAnd Linux.",
      metadata: { version: "1.0", count: "7", wanted: "true", on: "no" },
      allowedTools: "Read Bash(git add:*)",
      skillDir: at.at("project/.skills/full"),
      skillMdPath: at.at("project/.skills/full/SKILL.md"),
      sourceDir: at.at("project/.skills"),
    });
    const { results } = await callTools(at, [activate("full")]);
    expect(results).toEqual([
      {
        name: "full",
        frontmatter: {
          name: "full",
          description: "Does all of it. Use when asked.",
          license: "MIT",
          compatibility: "Needs git.\nAnd Linux.",
          metadata: { version: "1.0", count: "7", wanted: "true", on: "no" },
          "allowed-tools": "Read Bash(git add:*)",
        },
        body: "# Full",
      },
    ]);
  });

  it("S0-46 keeps the allowed tools as they are written, with spaces or with commas", async () => {
    expect([(await find("full"))?.allowedTools, (await find("commas"))?.allowedTools]).toEqual([
      "Read Bash(git add:*)",
      "Read, Bash(git:*), Grep",
    ]);
  });

  it("S0-47 ignores a key that it does not know, also one that others obey, and warns of it", async () => {
    const { warnings } = await listing();
    const path = at.at("project/.skills/full/SKILL.md");
    const message =
      'unknown keys "foo", "disable-model-invocation", "user-invocable"; put extra values under "metadata"';
    expect(warnings.filter((each) => each.path === path)).toEqual([{ path, message }]);
    expect(await find("full")).toMatchObject({ forModels: true });
    const { text, turn } = await remcochat<{ text: string; turn: object }>(at, ["prompt", "--for", "/full go"]);
    expect(text).toContain('{"name":"full",');
    expect(turn).toMatchObject({ message: "go", mentions: [{ name: "full" }] });
  });

  it("S0-39 wants frontmatter from the first line to a closing one", async () => {
    await expectCases("leading", "unclosed", "none", "zero", "text");
  });

  it("S0-41 wants a name that is a text", async () => {
    await expectCases("no-name", "empty-name", "null-name", "list-name", "map-name");
  });

  it("S0-42 wants a description that is a text", () => expectCases("no-description", "list-description"));

  it("S0-48 takes names of 1 to 64 characters", () => expectCases("0", long(64), long(65), "empty-name"));

  it("S0-49 takes a to z, digits and hyphens only", () => expectCases("a-1-b", "A", "a_b", "a.b", "a b", "größe"));

  it("S0-50, S0-51 takes no hyphen at an end, nor two in a row", () => expectCases("-a", "a-", "a--b"));

  it("S0-53 takes descriptions of 1 to 1024 characters", () => expectCases("d1", "d1024", "emoji", "d1025", "blank"));

  it("S0-54 leaves out of everything what is invalid", async () => {
    const bad = ["folder", "other", "unclosed", "a_b", "no-description"];
    const { results } = await callTools(at, [...bad.map(activate), activate(at.at("project/.skills/folder"))]);
    const names = [...bad, at.at("project/.skills/folder")];
    expect(results).toEqual(names.map((name) => ({ error: `No skill "${name}".`, code: "skill-not-found" })));
    const { text } = await remcochat<{ text: string }>(at, ["prompt"]);
    const block = JSON.parse(text.split("\n").at(-1) ?? "") as { available_skills: { name: string }[] };
    const valid = Object.keys(cases).filter((folder) => cases[folder]?.[1] === "valid");
    expect(block.available_skills.map(({ name }) => name).toSorted()).toEqual(valid.toSorted());
  });

  it("S0-55 records each that is invalid, with its place and the reason, for the listing and in words", async () => {
    const { invalid } = await listing();
    expect(invalid).toContainEqual({
      skillDir: at.at("project/.skills/folder"),
      skillMdPath: at.at("project/.skills/folder/SKILL.md"),
      error: 'name is "other", folder is "folder"; they should be the same',
    });
    const { stdout } = await at.run(["list", "--profile", "remcochat"]);
    expect(stdout.match(/^ +invalid /gm)).toHaveLength(invalid.length);
    expect(stdout).toContain('name is "other", folder is "folder"; they should be the same');
  });

  it("S0-126, S0-135 agrees with the specification on every one of them", async () => {
    await expectCases(...Object.keys(cases));
    const folders = Object.keys(cases).filter((folder) => !["full", "commas", "größe"].includes(folder));
    const paths = folders.map((folder) => at.at(`project/.skills/${folder}`));
    const { json } = await at.runJson(["validate", ...paths]);
    const { results } = json as { results: { path: string; valid: boolean }[] };
    const verdicts = results.map(({ path, valid }) => [path, valid]);
    const expected = folders.map((folder) => [
      at.at(`project/.skills/${folder}/SKILL.md`),
      cases[folder]?.[1] === "valid",
    ]);
    expect(verdicts).toEqual(expected);
  });
});

describe("files that only another file names", () => {
  it("S0-134 are remarked on, and refused where the policy says so", async () => {
    const at = machine({
      "deep/SKILL.md": skill("deep", "Deep. Use when testing.", "See [a](references/a.md)."),
      "deep/references/a.md": "See [b](b.md).\n",
      "deep/references/b.md": "The end.\n",
      "flat/SKILL.md": skill("flat", "Flat. Use when testing.", "See [a](references/a.md) and [b](references/b.md)."),
      "flat/references/a.md": "See [b](b.md).\n",
      "flat/references/b.md": "The end.\n",
    });
    const validate = async (policy: string) => {
      const args = ["validate", at.at("deep"), at.at("flat"), "--profile", "remcochat"];
      const { status, json } = await at.runJson(args, { env: { SKILLHOLM_SKILLS_NESTED_REFERENCES: policy } });
      const { results } = json as { results: { valid: boolean; diagnostics: { code: string; severity: string }[] }[] };
      return [status, ...results.map(({ valid, diagnostics: [first] }) => [valid, first?.code, first?.severity])];
    };
    expect(await validate("warn")).toEqual([0, [true, "reference-nested", "warning"], [true, undefined, undefined]]);
    expect(await validate("reject")).toEqual([1, [false, "reference-nested", "error"], [true, undefined, undefined]]);
  });
});
