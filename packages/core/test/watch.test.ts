import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { layEntries, layTree, skillText } from "../../../test/support/tree.ts";
import {
  type Catalog,
  createFsSource,
  createMemorySource,
  createSkills,
  type Root,
  type ScanRequest,
  type Skills,
} from "../src/index.ts";
import { open, rootAt } from "./loading.ts";

function namesOf(catalog: Catalog): readonly string[] {
  return catalog.skills.map((skill) => skill.name);
}

/** Long enough for a busy machine; how fast it is, the bench says. */
function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 8000, interval: 20 });
}

/** Opens and watches a root, with every catalog that was told of. */
async function watchRoot(root: string, change: Partial<Root> = {}) {
  const skills = await open([rootAt(root, change)]);
  const told: Catalog[] = [];
  const watch = skills.watch((catalog) => told.push(catalog));
  await watch.ready;
  return { skills, told, [Symbol.dispose]: watch.close };
}

/** Skills whose scans are written down: "all", or the changed paths below the root. */
async function recordScans(root: string) {
  const source = createFsSource();
  const scans: unknown[] = [];
  const scan = (place: Root, request: ScanRequest) => {
    scans.push(request.since?.changed.map((path) => path.slice(root.length + 1)) ?? "all");
    return source.scan(place, request);
  };
  const skills = await createSkills({ sources: [{ source: { ...source, scan }, roots: [rootAt(root)] }] });
  return { skills, scans };
}

describe("watching", () => {
  it("sees an edit, and keeps the skills that did not change", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") });
    using watched = await watchRoot(root);
    const [, b] = watched.skills.catalog.skills;
    writeFileSync(join(root, "a/SKILL.md"), skillText("a", "New. Use when asked."));
    await until(() => expect(watched.skills.find("a").description).toBe("New. Use when asked."));
    expect(watched.skills.catalog.skills[1]).toBe(b);
    expect(watched.told.at(-1)).toBe(watched.skills.catalog);
  });

  it("sees every save of an editor that saves by rename", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    using watched = await watchRoot(root);
    for (const text of ["First. Use it.", "Second. Use it.", "Third. Use it."]) {
      writeFileSync(join(root, "a/.SKILL.md.swp"), skillText("a", text));
      renameSync(join(root, "a/.SKILL.md.swp"), join(root, "a/SKILL.md"));
      await until(() => expect(watched.skills.find("a").description).toBe(text));
    }
  });

  it("sees a folder of skills that is moved in, edited there, and moved out", async () => {
    const away = layTree({ "group/x/SKILL.md": skillText("x"), "group/deep/y/SKILL.md": skillText("y") });
    const root = layTree({ "a/SKILL.md": skillText("a") });
    using watched = await watchRoot(root);
    renameSync(join(away, "group"), join(root, "group"));
    await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["a", "y", "x"]));
    writeFileSync(join(root, "group/deep/y/SKILL.md"), skillText("y", "New. Use it."));
    await until(() => expect(watched.skills.find("y").description).toBe("New. Use it."));
    renameSync(join(root, "group"), join(away, "back"));
    await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["a"]));
  });

  it("sees folders that are removed and made again", async () => {
    const root = layTree({ "g/a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") });
    using watched = await watchRoot(root);
    for (let round = 0; round < 3; round++) {
      rmSync(join(root, "g"), { recursive: true });
      await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["b"]));
      layEntries(root, { "g/a/SKILL.md": skillText("a") });
      await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["b", "a"]));
    }
  });

  it("sees a group that grows step by step", async () => {
    const root = layTree({});
    using watched = await watchRoot(root);
    mkdirSync(join(root, "one"));
    await setTimeout(150);
    mkdirSync(join(root, "one/two"));
    await setTimeout(150);
    layEntries(root, { "one/two/a/SKILL.md": skillText("a") });
    await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["a"]));
  });

  it("waits for a root that is not there yet", async () => {
    const base = layTree({});
    const root = join(base, "project/.agents/skills");
    using watched = await watchRoot(root);
    expect(watched.skills.catalog.roots.map((each) => each.exists)).toEqual([false]);
    mkdirSync(join(base, "project"));
    await setTimeout(150);
    layEntries(root, { "a/SKILL.md": skillText("a") });
    await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["a"]));
    renameSync(join(base, "project/.agents"), join(base, "project/aside"));
    await until(() => expect(watched.skills.catalog.roots.map((each) => each.exists)).toEqual([false]));
  });

  it("follows links as the walk does: to their folders, their files and their targets", async () => {
    const store = layTree({
      "v1/SKILL.md": skillText("a", "One. Use it."),
      "v2/SKILL.md": skillText("a", "Two. Use it."),
      current: { link: "v1" },
      "b.md": skillText("b", "Old. Use it."),
    });
    const root = layTree({ a: { link: join(store, "current") }, "b/SKILL.md": { link: join(store, "b.md") } });
    using watched = await watchRoot(root, { scope: "user", links: "anywhere" });
    writeFileSync(join(store, "v1/SKILL.md"), skillText("a", "Edited. Use it."));
    await until(() => expect(watched.skills.find("a").description).toBe("Edited. Use it."));
    writeFileSync(join(store, "b.tmp"), skillText("b", "New. Use it."));
    renameSync(join(store, "b.tmp"), join(store, "b.md"));
    await until(() => expect(watched.skills.find("b").description).toBe("New. Use it."));
    unlinkSync(join(store, "current"));
    layEntries(store, { current: { link: "v2" } });
    await until(() => expect(watched.skills.find("a").description).toBe("Two. Use it."));
    rmSync(join(store, "v2"), { recursive: true });
    await until(() => expect(namesOf(watched.skills.catalog)).toEqual(["b"]));
  });

  it("finds the other way to a folder when the link that was entered goes", async () => {
    const store = layTree({ "s/SKILL.md": skillText("s") });
    const root = layTree({ "a/x": { link: join(store, "s") }, "b/x": { link: join(store, "s") } });
    using watched = await watchRoot(root, { scope: "user", links: "anywhere" });
    expect(watched.skills.find("s").dir).toBe(join(root, "a/x"));
    unlinkSync(join(root, "a/x"));
    await until(() => expect(watched.skills.find("s").dir).toBe(join(root, "b/x")));
  });

  it("sees agents/openai.yaml come, change and go", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    using watched = await watchRoot(root);
    const shown = () => watched.skills.find("a").fields.openai?.displayName;
    layEntries(root, { "a/agents/openai.yaml": "interface:\n  display_name: One\n" });
    await until(() => expect(shown()).toBe("One"));
    writeFileSync(join(root, "a/agents/openai.yaml"), "interface:\n  display_name: Two\n");
    await until(() => expect(shown()).toBe("Two"));
    rmSync(join(root, "a/agents"), { recursive: true });
    await until(() => expect(shown()).toBeUndefined());
  });

  it("tells of a burst once", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    using watched = await watchRoot(root);
    const many = Array.from({ length: 200 }, (_, index) => `s${index}`);
    layEntries(root, Object.fromEntries(many.map((name) => [`${name}/SKILL.md`, skillText(name)])));
    await until(() => expect(watched.skills.catalog.skills).toHaveLength(201));
    expect(watched.told).toHaveLength(1);
  });

  it("tells nobody when nothing changed, and keeps the catalog", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a"), "a/scripts/run.py": "1" });
    const { skills, scans } = await recordScans(root);
    const told: Catalog[] = [];
    using watch = skills.watch((catalog) => told.push(catalog));
    await watch.ready;
    const { catalog } = skills;
    writeFileSync(join(root, "README.md"), "About.");
    await until(() => expect(scans).toEqual(["all", "all", ["README.md"]]));
    writeFileSync(join(root, "a/notes.md"), "A file beside the skill.");
    writeFileSync(join(root, "a/scripts/run.py"), "2");
    await setTimeout(400);
    expect([scans.length, told.length]).toEqual([3, 0]);
    expect(skills.catalog).toBe(catalog);
  });

  it("looks only at what changed", async () => {
    const root = layTree({ "g/a/SKILL.md": skillText("a"), "g/b/SKILL.md": skillText("b") });
    const { skills, scans } = await recordScans(root);
    using watch = skills.watch();
    await watch.ready;
    writeFileSync(join(root, "g/a/SKILL.md"), skillText("a", "New. Use it."));
    await until(() => expect(skills.find("a").description).toBe("New. Use it."));
    expect(scans).toEqual(["all", "all", ["g/a/SKILL.md"]]);
  });

  it("tells everybody who watches of a reload that found something, each until it is closed", async () => {
    const files = { "/skills/a/SKILL.md": skillText("a") };
    let source = createMemorySource(files);
    const moving = { ...source, scan: (root: Root, request: ScanRequest) => source.scan(root, request) };
    const skills: Skills = await createSkills({ sources: [{ source: moving, roots: [rootAt("/skills")] }] });
    const told: string[] = [];
    using first = skills.watch(() => told.push("first"));
    const second = skills.watch(() => told.push("second"));
    await first.ready;
    source = createMemorySource({ ...files, "/skills/b/SKILL.md": skillText("b") });
    await skills.reload();
    second.close();
    source = createMemorySource(files);
    await skills.reload();
    await skills.reload();
    expect(told).toEqual(["first", "second", "first"]);
  });

  it("stops when it is closed", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    const { skills, scans } = await recordScans(root);
    const watch = skills.watch();
    await watch.ready;
    watch.close();
    layEntries(root, { "b/SKILL.md": skillText("b") });
    await setTimeout(400);
    expect([scans.length, namesOf(skills.catalog)]).toEqual([2, ["a"]]);
    using again = skills.watch();
    await again.ready;
    expect(namesOf(skills.catalog)).toEqual(["a", "b"]);
  });

  it("keeps no process alive", () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    const script = `
      import { openSkills } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
      const skills = await openSkills({ roots: [${JSON.stringify(rootAt(root))}], policy: { limits: { watches: 3 } } });
      await skills.watch().ready;
      console.log(skills.catalog.diagnostics.map((each) => each.code).join());`;
    const options = { encoding: "utf8", timeout: 20_000 } as const;
    const child = spawnSync(process.execPath, ["--input-type=module", "--eval", script], options);
    expect([child.stdout.trim(), child.status]).toEqual(["watch-limit", 0]);
  });

  it("has nothing to say of a look that outlives it", async () => {
    const root = layTree({ "a/SKILL.md": skillText("a") });
    const skills = await open([rootAt(root)]);
    skills.watch().close();
    expect((await skills.reload()).diagnostics).toEqual([]);
  });

  it("says so when it may not watch everything, and still sees what changes", async () => {
    const root = layTree({ "g/a/SKILL.md": skillText("a"), "h/b/SKILL.md": skillText("b") });
    const skills = await open([rootAt(root)], { limits: { watches: 4 } });
    using watch = skills.watch();
    await watch.ready;
    expect(skills.catalog.diagnostics.map((each) => [each.code, each.path])).toEqual([["watch-limit", root]]);
    writeFileSync(join(root, "h/b/SKILL.md"), skillText("b", "New. Use it."));
    await until(() => expect(skills.find("b").description).toBe("New. Use it."));
  });
});
