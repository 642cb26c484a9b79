import { rmSync, statSync } from "node:fs";
import { SkillLoader } from "@skillholm/profiles";
import { describe, expect, it } from "vitest";
import { layEntries, layTree, skillText } from "../support/tree.ts";

function lay() {
  const cwd = layTree({
    "skills/zebra/SKILL.md": skillText("alpha", "First of all."),
    "skills/a/b/SKILL.md": skillText("middle"),
    "skills/ant/SKILL.md": skillText("zulu"),
    "skills/broken/SKILL.md": "---\nname: broken\n---\n",
  });
  const warnings: string[] = [];
  return { cwd, warnings, loader: new SkillLoader({ cwd, warn: (message) => warnings.push(message) }) };
}

describe("mycodeagent: SkillLoader", () => {
  it("S3-19, S3-68 describes a skill by five fields, its folder from the project's", async () => {
    const { cwd, loader } = lay();
    await loader.scan();
    const path = `${cwd}/skills/a/b/SKILL.md`;
    expect(loader.getSkill("middle")).toEqual({
      name: "middle",
      description: "Does middle. Use when asked.",
      path,
      base_dir: "skills/a/b",
      mtime: statSync(path).mtimeMs / 1000,
    });
  });

  it("S3-20, S3-70 scans, gives the list and keeps it", async () => {
    const { cwd, loader, warnings } = lay();
    expect(loader.listSkills()).toEqual([]);
    const found = await loader.scan();
    expect(found.map(({ name }) => name)).toEqual(["alpha", "middle", "zulu"]);
    rmSync(`${cwd}/skills`, { recursive: true });
    expect(loader.listSkills()).toEqual(found);
    expect(warnings).toEqual([expect.stringContaining("skills/broken/SKILL.md: no description")]);
    expect(await loader.scan()).toEqual([]);
    expect(await new SkillLoader({ cwd: `${cwd}/nowhere` }).scan()).toEqual([]);
  });

  it("S3-21 lists by name, whatever the folders are called", async () => {
    const { loader } = lay();
    await loader.scan();
    expect(loader.listSkills().map(({ name, base_dir }) => [name, base_dir])).toEqual([
      ["alpha", "skills/zebra"],
      ["middle", "skills/a/b"],
      ["zulu", "skills/ant"],
    ]);
  });

  it("S3-22, S3-71 gives a skill by its name, or null", async () => {
    const { loader } = lay();
    expect(loader.getSkill("alpha")).toBeNull();
    await loader.scan();
    expect(loader.getSkill("alpha")).toMatchObject({ base_dir: "skills/zebra" });
    for (const name of ["zebra", "broken", "", "Alpha", "toString", "__proto__"]) {
      expect(loader.getSkill(name)).toBeNull();
    }
  });

  it("S3-18 sees an edit when it looks again, and warns of nothing twice", async () => {
    const { cwd, loader, warnings } = lay();
    await loader.scan();
    layEntries(cwd, { "skills/a/b/SKILL.md": skillText("middle", "Edited.") });
    expect(loader.getSkill("middle")?.description).toBe("Does middle. Use when asked.");
    expect(await loader.refreshIfStale()).toBe(true);
    expect(loader.getSkill("middle")?.description).toBe("Edited.");
    layEntries(cwd, { "skills/z/SKILL.md": skillText("zulu", "The last.") });
    expect(await loader.refreshIfStale()).toBe(true);
    expect(loader.getSkill("zulu")?.description).toBe("The last.");
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain('"zulu" is taken by');
  });

  it("S3-56 keeps what it knows of a file that did not change, and does not parse it again", async () => {
    const { cwd, loader } = lay();
    await loader.scan();
    expect(await loader.refreshIfStale()).toBe(false);
    // A file of this moment is read again, since its time cannot tell two changes apart; then no more.
    const isKept = async () => {
      const before = loader.getSkill("alpha");
      await loader.refreshIfStale();
      return loader.getSkill("alpha") === before;
    };
    await expect.poll(isKept, { timeout: 20_000, interval: 200 }).toBe(true);
    layEntries(cwd, { "skills/zebra/SKILL.md": skillText("alpha", "Edited.") });
    expect(await isKept()).toBe(false);
  });
});
