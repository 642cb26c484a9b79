import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { SkillTool } from "../src/index.ts";
import { createTool } from "../src/tool.ts";
import { nameForWire } from "../src/wire-name.ts";

function toolNamed(name: string): SkillTool {
  return createTool({
    name,
    title: name,
    description: name,
    inputSchema: z.object({}),
    run: async () => ({}),
    render: () => name,
  });
}

function wireNames(...names: readonly string[]): readonly string[] {
  return [...nameForWire(names.map(toolNamed)).keys()];
}

describe("a tool's name on the wire", () => {
  it("has a capital where it had a dot, and is itself where it may be", () => {
    expect(wireNames("skills.activate", "skills.readResource", "search_skills")).toEqual([
      "skillsActivate",
      "skillsReadResource",
      "search_skills",
    ]);
  });

  it("gives way to a tool that is really called so, whichever comes first", () => {
    expect(wireNames("skills.activate", "skillsActivate")).toEqual(["skillsActivate_2", "skillsActivate"]);
    expect(wireNames("skillsActivate", "skills.activate", "skills/activate")).toEqual([
      "skillsActivate",
      "skillsActivate_2",
      "skillsActivate_3",
    ]);
  });

  it("is allowed, its own, and leads back to its tool, whatever the tools are called", () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("a.b", "aB", "aB_2", "", "é", `${"x".repeat(70)}.y`, "__proto__"),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const tools = names.map(toolNamed);
        const named = nameForWire(tools);
        expect([...named.values()]).toEqual(tools);
        for (const [wire] of named) expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});
