import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSkills } from "@skillholm/core";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../skills", import.meta.url));
const root = { path: folder, scope: "system", trusted: true, writable: false, links: "inside" } as const;
const skills = await openSkills({ roots: [root] });

describe("the skills that ship", () => {
  it("load without a single remark", () => {
    expect(skills.catalog.skills.map((skill) => skill.name)).toEqual([
      "fix-a-missing-skill",
      "review-a-skill",
      "skills-system-validation",
      "write-a-skill",
    ]);
    expect(skills.catalog).toMatchObject({ hidden: [], diagnostics: [] });
  });

  it.each(skills.catalog.skills.map((skill) => [skill.name, skill] as const))(
    "%s keeps to the specification and mentions each of its files",
    async (_name, skill) => {
      const allowed = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
      expect(Object.keys(skill.frontmatter).filter((key) => !allowed.includes(key))).toEqual([]);
      const body = await skills.body(skill);
      const { files } = await skills.files(skill);
      const unmentioned = files.map((file) => file.path).filter((path) => path !== "SKILL.md" && !body.includes(path));
      expect(unmentioned).toEqual([]);
      expect(body.split("\n").length).toBeLessThan(300);
    },
  );

  it("include the conformance skill with its markers", async () => {
    const skill = skills.find("skills-system-validation");
    const read = (path: string) => readFileSync(join(skill.dir, path), "utf8");
    expect(skill.description).not.toMatch(/^[|>]/);
    expect(await skills.body(skill)).toContain("Validation procedure");
    expect(read("references/REFERENCE.md").split("\n")[0]).toContain("REMCOCHAT_SKILLS_CONFORMANCE_REFERENCE_v1");
    expect(JSON.parse(read("assets/fixture.json")).fixture_id).toBe("skills-system-validation");
    expect(execFileSync(join(skill.dir, "scripts/echo.sh"), { encoding: "utf8" })).toBe("REMCOCHAT_SKILLS_SCRIPT_OK\n");
  });
});
