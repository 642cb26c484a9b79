import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { describeFields } from "../src/effects.ts";
import { readFields, unknownKeys } from "../src/fields.ts";
import { open, rootAt } from "./loading.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const skills = await open([rootAt(fixtures)]);

describe("readFields", () => {
  it("keeps the exact text of every value", () => {
    expect(skills.find("exact-text").fields).toEqual({
      version: "1.10",
      metadata: { count: "007", when: "2026-01-01", yes: "yes", empty: "" },
    });
  });

  it("brings the vendors' fields into one shape", () => {
    expect(skills.find("vendor-fields").fields).toEqual({
      allowedTools: ["Read", "Bash(git add:*)", "Bash(npm run test:*)"],
      whenToUse: "When a vendor's field is needed.",
      argumentHint: "[file] [lines]",
      arguments: ["file", "lines"],
      paths: ["src/**", "*.md"],
      model: "some-model",
      context: "fork",
      agent: "Explore",
      version: "1.10",
      tags: ["a", "b"],
      triggers: { keywords: ["hello", "greet"], verbs: ["say"], patterns: ["greet\\s+\\w+"] },
      toolsets: ["toolsets/index:Tools"],
      disableModelInvocation: true,
      userInvocable: false,
      hooks: { PreToolUse: [{ matcher: "Bash" }] },
    });
  });

  it("reads Codex's agents/openai.yaml, and obeys its wish not to be called by the model", () => {
    expect(skills.find("openai-yaml").fields).toEqual({
      openai: {
        displayName: "Open AI Yaml",
        shortDescription: "Shown in the picker",
        brandColor: "#336699",
        allowImplicitInvocation: false,
        dependencies: { tools: [{ type: "mcp", value: "docs" }] },
      },
      disableModelInvocation: true,
    });
  });

  it.each([
    ["Read Write Bash(git:*)", ["Read", "Write", "Bash(git:*)"]],
    ["Read, Write, Bash(git add:*, git rm:*)", ["Read", "Write", "Bash(git add:*, git rm:*)"]],
    [
      ["Read", "Bash(git:*)"],
      ["Read", "Bash(git:*)"],
    ],
    ["", []],
    ["Bash(never closed", ["Bash(never closed"]],
  ])("reads allowed-tools %j", (value, tools) => {
    expect(readFields({ "allowed-tools": value })).toEqual({ allowedTools: tools });
  });

  it("does not cut a list of globs inside braces", () => {
    expect(skills.find("brace-glob").fields.paths).toEqual(["src/**/*.{ts,tsx}", "docs/**"]);
  });

  it("keeps a placeholder in braces as it was written", () => {
    expect(readFields({ "argument-hint": { "scope of it": "" } }).argumentHint).toBe("{scope of it}");
  });

  it("takes a key with underscores or capitals for the same key", () => {
    const frontmatter = { When_To_Use: "now", ALLOWED_TOOLS: "Read" };
    expect(readFields(frontmatter)).toEqual({ whenToUse: "now", allowedTools: ["Read"] });
    expect(unknownKeys(frontmatter)).toEqual([]);
  });

  it("names the keys that it does not know, those of every object's prototype too", () => {
    expect(unknownKeys({ constructor: "x", toString: "y", homepage: "z" })).toEqual([
      "constructor",
      "toString",
      "homepage",
    ]);
  });

  it("turns metadata of any shape into text", () => {
    expect(skills.find("json-metadata").fields.metadata).toEqual({
      tool: '{"emoji":"*","requires":{"bins":["git","node"]},"level":"2"}',
    });
    expect(readFields({ metadata: "just text" }).metadata).toEqual({ value: "just text" });
  });
});

describe("describeFields", () => {
  it("has a word for every field that is read", () => {
    const frontmatter = skills.find("vendor-fields").frontmatter;
    const known = { ...frontmatter, license: "x", compatibility: "x", metadata: "x", effort: "x" };
    expect(describeFields(known).filter((each) => each.note === "unknown key")).toEqual([]);
  });

  it("says of each key whether it has an effect here", () => {
    const told = describeFields({ name: "a", description: "b", model: "c", surprise: "d" });
    expect(told.map(({ key, effect }) => [key, effect])).toEqual([
      ["name", true],
      ["description", true],
      ["model", false],
      ["surprise", false],
    ]);
  });
});
