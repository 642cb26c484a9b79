import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { codesOf, open, rootAt, summary } from "./loading.ts";

describe("walking a root", () => {
  it("finds skills in groups, down to the depth limit, and says what lies deeper", async () => {
    const root = layTree({
      "one/SKILL.md": skillText("one"),
      "group/two/SKILL.md": skillText("two"),
      "1/2/3/4/5/six/SKILL.md": skillText("six"),
      "1/2/3/4/5/6/seven/SKILL.md": skillText("seven"),
    });
    const { catalog } = await open([rootAt(root)]);
    expect(catalog.skills.map((skill) => skill.name).sort()).toEqual(["one", "six", "two"]);
    expect(codesOf(catalog, root)).toEqual(["depth-limit"]);
    const shallow = await open([rootAt(root)], { limits: { depth: 1 } });
    expect(shallow.catalog.skills.map((skill) => skill.name)).toEqual(["one"]);
  });

  it("skips hidden folders and node_modules", async () => {
    const root = layTree({
      ".git/a/SKILL.md": skillText("a"),
      ".hidden/b/SKILL.md": skillText("b"),
      "node_modules/c/SKILL.md": skillText("c"),
      "d/SKILL.md": skillText("d"),
    });
    expect(summary((await open([rootAt(root)])).catalog, root)).toEqual({ "d/SKILL.md": "listed as d" });
  });

  it("takes a skill's folder for a leaf, unless the policy says otherwise", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a"), "a/inner/SKILL.md": skillText("inner") });
    expect((await open([rootAt(root)])).catalog.skills.map((skill) => skill.name)).toEqual(["a"]);
    const nested = await open([rootAt(root)], { nested: "find" });
    expect(nested.catalog.skills.map((skill) => skill.name)).toEqual(["a", "inner"]);
  });

  it("takes a root that is itself a skill, and the skills below it", async () => {
    const root = layTree({ "SKILL.md": skillText("top"), "below/SKILL.md": skillText("below") });
    const { catalog } = await open([rootAt(root)]);
    expect(catalog.skills.map((skill) => skill.name)).toEqual(["top", "below"]);
  });

  it("ends at the limit of folders and says so", async () => {
    const root = layTree(Object.fromEntries([..."abcdef"].map((name) => [`${name}/SKILL.md`, skillText(name)])));
    const { catalog } = await open([rootAt(root)], { limits: { folders: 4 } });
    expect(catalog.skills.map((skill) => skill.name)).toEqual(["a", "b", "c"]);
    expect(catalog.truncated).toBe(true);
    expect(codesOf(catalog, join(root, "d"))).toEqual(["scan-limit"]);
  });

  it("ends at the limit of entries", async () => {
    const root = layTree({
      "g/a/SKILL.md": skillText("a"),
      "g/b/SKILL.md": skillText("b"),
      "h/c/SKILL.md": skillText("c"),
    });
    const { catalog } = await open([rootAt(root)], { limits: { entries: 3 } });
    expect(catalog.truncated).toBe(true);
    expect(catalog.diagnostics.map((each) => each.code)).toEqual(["scan-limit"]);
  });

  it("goes on past a FIFO and a folder in the place of the file", async () => {
    const root = layTree({
      "good/SKILL.md": skillText("good"),
      "dir/SKILL.md/x": "",
      "linked/SKILL.md": { link: "../fifo/pipe" },
    });
    mkdirSync(join(root, "fifo"));
    mkdirSync(join(root, "pipe"));
    execFileSync("mkfifo", [join(root, "fifo/pipe"), join(root, "pipe/SKILL.md")]);
    const { catalog } = await open([rootAt(root)]);
    expect(summary(catalog, root)).toEqual({
      "good/SKILL.md": "listed as good",
      "dir/SKILL.md": "invalid",
      "linked/SKILL.md": "invalid",
      "pipe/SKILL.md": "invalid",
    });
  });

  it("tells of an agents/openai.yaml that it does not read", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a"), "a/agents/openai.yaml": `x: ${"y".repeat(70_000)}` });
    const { catalog } = await open([rootAt(root)]);
    expect(codesOf(catalog, join(root, "a/SKILL.md"))).toEqual(["openai-yaml"]);
  });

  it("says that a folder's name is not UTF-8", async () => {
    const root = layTree({ "good/SKILL.md": skillText("good") });
    mkdirSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.of(0xff, 0xfe)]));
    const { catalog } = await open([rootAt(root)]);
    expect(catalog.diagnostics.map((each) => each.message)).toEqual(["its name is not UTF-8; rename it"]);
  });

  it("is empty for a root that is not there", async () => {
    const root = join(layTree({}), "missing");
    const { catalog } = await open([rootAt(root)]);
    expect(catalog).toMatchObject({ skills: [], hidden: [], diagnostics: [], roots: [{ exists: false, skills: 0 }] });
  });

  it("reads frontmatter that is longer than one read, and refuses what is longer than the limit", async () => {
    const filler = Array.from({ length: 3000 }, (_, index) => `  key${index}: value ${index}\n`).join("");
    const root = layTree({
      "long/SKILL.md": skillText("long", "Long.", `metadata:\n${filler}`),
      "huge/SKILL.md": skillText("huge", "Huge.", `author: ${"x".repeat(5_000_000)}\n`),
      "open/SKILL.md": `---\nname: open\ndescription: ${"y".repeat(5_000_000)}`,
    });
    const { catalog } = await open([rootAt(root)]);
    expect(catalog.skills.map((skill) => [skill.name, Object.keys(skill.fields.metadata ?? {}).length])).toEqual([
      ["long", 3000],
    ]);
    expect(codesOf(catalog, join(root, "huge/SKILL.md"))).toEqual(["frontmatter-too-large 1:1"]);
    expect(codesOf(catalog, join(root, "open/SKILL.md"))).toEqual(["frontmatter-too-large 1:1"]);
  });

  it("makes a diagnostic of what may not be read, and goes on", () => {
    const root = layTree({
      "closed/a/SKILL.md": skillText("a"),
      "file/SKILL.md": skillText("file"),
      "good/SKILL.md": skillText("good"),
      "listed/SKILL.md": skillText("listed"),
      into: { link: "closed/a" },
    });
    chmodSync(join(root, "closed"), 0);
    chmodSync(join(root, "listed"), 0o444);
    chmodSync(join(root, "file/SKILL.md"), 0);
    chmodSync(root, 0o755);
    // The superuser may read everything, so that the walk runs as nobody.
    const script = `
      import { openSkills } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      if (process.getuid() === 0) process.setuid(65534);
      const roots = [{ path: ${JSON.stringify(root)}, scope: "project", trusted: true, writable: true, links: "inside" }];
      const { catalog } = await openSkills({ roots });
      console.log(JSON.stringify([catalog.skills.map((s) => s.name), catalog.hidden.map((h) => h.reason), catalog.diagnostics.map((d) => d.code)]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    chmodSync(join(root, "closed"), 0o755);
    chmodSync(join(root, "listed"), 0o755);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([
      ["good"],
      ["SKILL.md cannot be read: permission denied", "SKILL.md cannot be read: permission denied"],
      ["file-unreadable", "file-unreadable", "folder-unreadable", "link-broken"],
    ]);
  });
});
