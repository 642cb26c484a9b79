import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import {
  createFsSource,
  createMemorySource,
  createSkills,
  measureSkill,
  openSkills,
  type ScanRequest,
} from "../src/index.ts";
import { open, rootAt } from "./loading.ts";

describe("reload", () => {
  it("sees what was added, changed and removed", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") });
    const skills = await open([rootAt(root)]);
    const before = skills.catalog;
    writeFileSync(join(root, "a/SKILL.md"), skillText("a", "Changed."));
    rmSync(join(root, "b"), { recursive: true });
    mkdirSync(join(root, "c"));
    writeFileSync(join(root, "c/SKILL.md"), skillText("c"));
    const after = await skills.reload();
    expect(after.skills.map(({ name, description }) => [name, description])).toEqual([
      ["a", "Changed."],
      ["c", "Does c. Use when asked."],
    ]);
    expect(skills.catalog).toBe(after);
    expect(before.skills.map((skill) => skill.name)).toEqual(["a", "b"]);
  });

  it("reads nothing again that did not change, once it has settled, and gives the same objects", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") });
    const scans: (readonly string[])[] = [];
    const disk = createFsSource();
    const source = {
      ...disk,
      scan: async (...args: Parameters<typeof disk.scan>) => {
        const scan = await disk.scan(...args);
        scans.push(scan.candidates.filter((each) => each.head !== undefined).map((each) => each.folder));
        return scan;
      },
    };
    // What is younger than two seconds is read again each time, since its time cannot be relied on.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const skills = await createSkills({ sources: [{ source, roots: [rootAt(root)] }] });
    const [a, b] = skills.catalog.skills;
    writeFileSync(join(root, "b/SKILL.md"), skillText("b", "Changed."));
    await skills.reload();
    expect(scans).toEqual([["a", "b"], ["b"]]);
    expect(skills.catalog.skills[0]).toBe(a);
    expect(skills.catalog.skills[1]).not.toBe(b);
  });

  it("sees a change that keeps the size and the time of the file", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a", "Old.") });
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const skills = await open([rootAt(root)]);
    writeFileSync(join(root, "a/SKILL.md"), skillText("a", "New."));
    const { mtimeMs } = skills.catalog.skills[0] ?? { mtimeMs: 0 };
    utimesSync(join(root, "a/SKILL.md"), mtimeMs / 1000, mtimeMs / 1000);
    expect((await skills.reload()).skills[0]?.description).toBe("New.");
  });

  it("sees that two folders were swapped, though their files have the same size and time", async () => {
    const root = layTree({ "a/SKILL.md": skillText("one"), "b/SKILL.md": skillText("two") });
    for (const name of ["a", "b"]) utimesSync(join(root, name, "SKILL.md"), 1_700_000_000, 1_700_000_000);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const skills = await open([rootAt(root)]);
    for (const [from, to] of [
      ["a", "c"],
      ["b", "a"],
      ["c", "b"],
    ] as const)
      renameSync(join(root, from), join(root, to));
    expect((await skills.reload()).skills.map((skill) => skill.name)).toEqual(["two", "one"]);
  });

  it("keeps a skill whose file was only touched, when its text was hashed", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    const skills = await open([rootAt(root)]);
    const before = skills.find("a");
    await skills.hash(before);
    writeFileSync(join(root, "a/SKILL.md"), skillText("a"));
    await skills.reload();
    expect(skills.find("a")).toBe(before);
    writeFileSync(join(root, "a/SKILL.md"), skillText("a", "Changed."));
    await skills.reload();
    expect(skills.find("a").description).toBe("Changed.");
  });

  it("never keeps a skill that says something else, whenever it was hashed", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a", "Old.") });
    const skills = await open([rootAt(root)]);
    writeFileSync(join(root, "a/SKILL.md"), skillText("a", "New."));
    await skills.hash(skills.find("a"));
    await skills.reload();
    expect(skills.find("a").description).toBe("New.");
  });

  it("goes on when a hashed file has become too large to read", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    const skills = await open([rootAt(root)], { limits: { fileBytes: 1000 } });
    await skills.hash(skills.find("a"));
    writeFileSync(join(root, "a/SKILL.md"), skillText("a") + "x".repeat(2000));
    expect((await skills.reload()).skills.map((skill) => skill.name)).toEqual(["a"]);
  });

  it("notices a change of agents/openai.yaml", async () => {
    const root = layTree({
      "a/SKILL.md": skillText("a"),
      "a/agents/openai.yaml": "interface: { display_name: One }\n",
    });
    const skills = await open([rootAt(root)]);
    await skills.hash(skills.find("a"));
    writeFileSync(join(root, "a/agents/openai.yaml"), "interface: { display_name: Two }\n");
    await skills.reload();
    expect(skills.find("a").fields.openai).toEqual({ displayName: "Two" });
  });
});

describe("several sources", () => {
  it("make one catalog, and keep apart what has the same path", async () => {
    const first = createMemorySource({ "/s/a/SKILL.md": skillText("a", "One."), "/s/b/SKILL.md": skillText("b") });
    const second = createMemorySource({ "/s/a/SKILL.md": skillText("a", "Two.") });
    const sources = [
      { source: first, roots: [rootAt("/s", { scope: "user" })] },
      { source: second, roots: [rootAt("/s")] },
    ];
    const skills = await createSkills({ sources });
    expect(skills.catalog.skills.map((skill) => skill.description)).toEqual(["Does b. Use when asked.", "Two."]);
    expect(await skills.hash(skills.find("a@user"))).not.toBe(await skills.hash(skills.find("a@project")));
    expect((await skills.reload()).hidden.map((each) => each.state)).toEqual(["shadowed"]);
    const stranger = { ...skills.find("a"), root: rootAt("/s") };
    await expect(skills.body(stranger)).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("a source that gives no frontmatter", () => {
  it("makes an invalid skill, and not a lost one", async () => {
    const memory = createMemorySource({ "/s/a/SKILL.md": skillText("a") });
    const source = {
      ...memory,
      scan: async (...args: Parameters<typeof memory.scan>) => {
        const scan = await memory.scan(...args);
        return { ...scan, candidates: scan.candidates.map((each) => ({ ...each, head: undefined })) };
      },
    };
    const { catalog } = await createSkills({ sources: [{ source, roots: [rootAt("/s")] }] });
    expect(catalog.hidden).toMatchObject([{ name: "a", state: "invalid" }]);
  });
});

describe("the catalog", () => {
  it("cannot be changed", async () => {
    const { catalog } = await open([rootAt(layTree({ "a/SKILL.md": skillText("a") }))]);
    expect(() => (catalog.skills as unknown[]).push("x")).toThrow(TypeError);
    expect(() => Object.assign(catalog, { truncated: true })).toThrow(TypeError);
    expect(() => Object.assign(catalog.skills[0] ?? {}, { name: "x" })).toThrow(TypeError);
    expect(() => Object.assign(catalog.skills[0]?.frontmatter ?? {}, { name: "x" })).toThrow(TypeError);
  });
});

describe("openSkills", () => {
  it("finds project, user and bundled skills in one call", async () => {
    const base = layTree({
      "home/.agents/skills/mine/SKILL.md": skillText("mine"),
      "home/work/.git/HEAD": "",
      "home/work/.agents/skills/ours/SKILL.md": skillText("ours"),
      "home/work/.claude/skills/theirs/SKILL.md": skillText("theirs"),
      "home/work/src/x.ts": "",
    });
    const place = { home: join(base, "home"), cwd: join(base, "home/work/src") };
    const names = async (options: object) => {
      const { catalog } = await openSkills({ ...place, ...options });
      return catalog.skills.filter((skill) => skill.scope !== "system").map((skill) => skill.name);
    };
    expect(await names({})).toEqual(["mine"]);
    expect(await names({ trusted: true })).toEqual(["ours", "mine"]);
    expect(await names({ trusted: (folder: string) => folder === join(base, "home/work") })).toEqual(["ours", "mine"]);
    expect(await names({ trusted: true, compat: ["claude"] })).toEqual(["ours", "theirs", "mine"]);
    const { catalog } = await openSkills(place);
    expect(catalog.skills.filter((skill) => skill.scope === "system").map((skill) => skill.name)).toContain(
      "write-a-skill",
    );
  });
});

describe("measureSkill", () => {
  it("tells the cost of each tier, and none for binary files", async () => {
    const source = createMemorySource({
      "/s/a/SKILL.md": skillText("a"),
      "/s/a/references/long.md": "word ".repeat(1000),
      "/s/a/assets/x.bin": Uint8Array.of(0, 1, 2),
    });
    const skills = await createSkills({ sources: [{ source, roots: [rootAt("/s")] }] });
    const cost = await measureSkill(skills, skills.find("a"), 17);
    expect(cost.resources).toBeGreaterThan(900);
    expect(cost.resources).toBeLessThan(1300);
    expect(cost.catalog).toBe(17);
    expect(cost.instructions).toBeGreaterThan(0);
    expect(cost.files.map(({ path, tokens }) => [path, tokens !== undefined])).toEqual([
      ["SKILL.md", false],
      ["assets/x.bin", false],
      ["references/long.md", true],
    ]);
  });
});

describe("a scan", () => {
  it("lets other work go on in between", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`s${index}/SKILL.md`, skillText(`s${index}`)]),
    );
    const root = rootAt(layTree(many));
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const request: ScanRequest = {
      roots: [root],
      nested: "skip",
      limits: {
        depth: 6,
        folders: 1e5,
        entries: 1e6,
        watches: 1e3,
        skills: 1e5,
        frontmatterBytes: 1e5,
        files: 1e3,
        fileBytes: 1e6,
        skillBytes: 1e6,
        bodyBytes: 1e6,
        resourceBytes: 1e6,
        namedFiles: 100,
        namedBytes: 1e6,
      },
    };
    const { candidates } = await createFsSource().scan(root, request);
    clearInterval(timer);
    expect(candidates).toHaveLength(3000);
    expect(ticks).toBeGreaterThan(0);
  });
});
