import { realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layTree, skillText, type TreeEntry } from "../../../test/support/tree.ts";
import { codesOf, open, rootAt, summary } from "./loading.ts";

describe("links", () => {
  it("makes one skill, silently, of a link from one root into another", async () => {
    const base = layTree({
      "user/pdf/SKILL.md": skillText("pdf"),
      "project/pdf": { link: "../user/pdf" },
      "project/own/SKILL.md": skillText("own"),
      "project/file/SKILL.md": { link: "../../user/pdf/SKILL.md" },
    });
    const roots = [rootAt(join(base, "project")), rootAt(join(base, "user"), { scope: "user" })];
    const { catalog } = await open(roots);
    expect(catalog.skills.map(({ name, scope }) => [name, scope])).toEqual([
      ["own", "project"],
      ["pdf", "user"],
    ]);
    expect(catalog).toMatchObject({ hidden: [], diagnostics: [] });
  });

  it("lets a user's root and its skills link anywhere", async () => {
    const base = layTree({
      "dotfiles/skills/a/SKILL.md": skillText("a"),
      "elsewhere/b/SKILL.md": skillText("b"),
      "dotfiles/skills/b": { link: "../../elsewhere/b" },
      home: { link: "dotfiles/skills" },
    });
    const root = join(base, "home");
    const { catalog } = await open([rootAt(root, { scope: "user" })]);
    expect(catalog.skills.map((skill) => [skill.name, skill.path, skill.realPath])).toEqual([
      ["a", join(root, "a/SKILL.md"), join(base, "dotfiles/skills/a/SKILL.md")],
      ["b", join(root, "b/SKILL.md"), join(base, "elsewhere/b/SKILL.md")],
    ]);
    expect(catalog.diagnostics).toEqual([]);
  });

  it("does not follow a project's link out of its root, and says so", async () => {
    const base = layTree({
      "secret/SKILL.md": skillText("secret"),
      "notes/plain.txt": "",
      "root/evil": { link: "../secret" },
      "root/harmless": { link: "../notes" },
      "root/file/SKILL.md": { link: "../../secret/SKILL.md" },
    });
    const { catalog } = await open([rootAt(join(base, "root"))]);
    expect(summary(catalog, join(base, "root"))).toEqual({ "evil/SKILL.md": "invalid", "file/SKILL.md": "invalid" });
    expect(catalog.diagnostics.map((each) => each.code)).toEqual(Array(3).fill("link-outside-root"));
    expect(codesOf(catalog, join(base, "root/harmless"))).toEqual(["link-outside-root"]);
  });

  it("does not enter a project's root that leads out of the project", async () => {
    const base = layTree({ "outside/a/SKILL.md": skillText("a"), "project/skills": { link: "../outside" } });
    const root = rootAt(join(base, "project/skills"), { project: join(base, "project") });
    const { catalog } = await open([root]);
    expect(catalog).toMatchObject({ skills: [], hidden: [] });
    expect(catalog.diagnostics.map((each) => each.code)).toEqual(["root-outside-project"]);
  });

  it("follows a link inside its root once, ends in circles, and reports a broken one", async () => {
    const root = layTree({
      ".store/a/SKILL.md": skillText("a"),
      a: { link: ".store/a" },
      "again-a": { link: ".store/a" },
      "group/up": { link: ".." },
      "group/self": { link: "self" },
      gone: { link: "nowhere" },
    });
    const { catalog } = await open([rootAt(root)]);
    expect(summary(catalog, root)).toEqual({ "a/SKILL.md": "listed as a" });
    expect(catalog.diagnostics.map((each) => [each.code, each.path.slice(root.length + 1)])).toEqual([
      ["link-broken", "gone"],
      ["link-broken", "group/self"],
    ]);
  });

  it("prefers the trusted way to a skill over the untrusted one", async () => {
    const base = layTree({ "project/a/SKILL.md": skillText("a"), "user/a": { link: "../project/a" } });
    const roots = [rootAt(join(base, "project"), { trusted: false }), rootAt(join(base, "user"), { scope: "user" })];
    const { catalog } = await open(roots);
    expect(catalog.skills.map((skill) => [skill.name, skill.scope])).toEqual([["a", "user"]]);
  });

  it("reads no agents/openai.yaml from outside the root", async () => {
    const base = layTree({
      "outside/openai.yaml": "interface:\n  display_name: Secret\n",
      "root/a/SKILL.md": skillText("a"),
      "root/a/agents": { link: "../../outside" },
    });
    const { catalog } = await open([rootAt(join(base, "root"))]);
    expect(catalog.skills[0]?.fields).toEqual({});
  });

  it("knows a linked skill again after a reload", async () => {
    const base = layTree({
      "user/a/SKILL.md": skillText("a"),
      "project/b/SKILL.md": { link: "../.store/b.md" },
      "project/.store/b.md": skillText("b"),
    });
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const skills = await open([rootAt(join(base, "project")), rootAt(join(base, "user"), { scope: "user" })]);
    const before = skills.catalog.skills;
    const after = (await skills.reload()).skills;
    expect(after.map((skill, index) => skill === before[index])).toEqual([true, true]);
    expect(skills.find("b").realPath).toBe(join(base, "project/.store/b.md"));
  });

  it("enters a linked folder again from a higher place, from which its skills are within reach", async () => {
    const base = layTree({
      "far/x/y/deep/SKILL.md": skillText("deep"),
      "near/lost/SKILL.md": skillText("lost"),
      "root/a/b/c/d/e/link": { link: "../../../../../../far" },
      "root/a/b/c/d/e/f/link": { link: "../../../../../../../near" },
      "root/zz/far": { link: "../../far" },
      "root/zz/near": { link: "../../near" },
    });
    const { catalog } = await open([rootAt(join(base, "root"), { scope: "user" })]);
    expect(catalog.skills.map((skill) => skill.name).sort()).toEqual(["deep", "lost"]);
  });

  it("takes a root that is a link to another root for the same one", async () => {
    const base = layTree({ "one/a/SKILL.md": skillText("a"), "one/b/skill.md": "", two: { link: "one" } });
    const roots = [rootAt(join(base, "one"), { scope: "user" }), rootAt(join(base, "two"), { scope: "user" })];
    const { catalog } = await open(roots);
    expect([catalog.skills.length, catalog.hidden.length, catalog.diagnostics.length]).toEqual([1, 1, 1]);
  });

  it("counts a SKILL.md that is a link into the skill's files and digest", async () => {
    const base = layTree({ "text.md": skillText("a"), "root/a/SKILL.md": { link: "../../text.md" } });
    const skills = await open([rootAt(join(base, "root"), { scope: "user" })]);
    const before = await skills.digest(skills.find("a"));
    expect((await skills.files(skills.find("a"))).files.map((file) => file.path)).toEqual(["SKILL.md"]);
    writeFileSync(join(base, "text.md"), skillText("a", "Changed."));
    expect(await skills.digest(skills.find("a"))).not.toBe(before);
  });

  it("reads nothing of a folder that was put in the skill's place after the scan", async () => {
    const base = layTree({
      "root/a/SKILL.md": skillText("a"),
      "out/secret.txt": "secret",
      "out/SKILL.md": skillText("a"),
    });
    const skills = await open([rootAt(join(base, "root"))]);
    rmSync(join(base, "root/a"), { recursive: true });
    symlinkSync(join(base, "out"), join(base, "root/a"));
    for (const file of ["secret.txt", "SKILL.md"]) {
      await expect(skills.read(skills.find("a"), file)).rejects.toMatchObject({ code: "path-outside-skill" });
    }
    await expect(skills.files(skills.find("a"))).rejects.toMatchObject({ code: "resource-not-found" });
  });

  it("never leaves a root, however the links lie", async () => {
    const folders = ["root", "root/a", "root/b", "root/b/c", "outside", "outside/d", "root-evil"];
    const targets = fc.constantFrom(
      "..",
      "../..",
      ".",
      "../outside",
      "../../outside/d",
      "/",
      "a",
      "../b/c",
      "../root-evil",
      "/tmp",
      "b/../..",
    );
    const links = fc.array(fc.tuple(fc.constantFrom(...folders), fc.constantFrom("l", "m", "SKILL.md", "n"), targets), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(links, async (chosen) => {
        const tree: Record<string, TreeEntry> = {};
        for (const folder of folders) tree[`${folder}/keep.txt`] = "";
        for (const folder of ["root/a", "root/b/c", "outside/d", "root-evil"])
          tree[`${folder}/SKILL.md`] = skillText("x");
        for (const [folder, name, target] of chosen) tree[`${folder}/${name}`] ??= { link: target };
        const base = layTree(tree);
        const root = join(base, "root");
        const { catalog } = await open([rootAt(root)]);
        for (const skill of [...catalog.skills, ...catalog.hidden.flatMap((each) => each.skill ?? [])]) {
          expect(`${realpathSync(skill.path)}/`.startsWith(`${root}/`)).toBe(true);
          expect(realpathSync(skill.path)).toBe(skill.realPath);
        }
      }),
      { numRuns: 150 },
    );
  });
});
