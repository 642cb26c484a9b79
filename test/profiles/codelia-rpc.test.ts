import { mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { codeliaSchemas } from "@skillholm/profiles";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createMachines, type Machine, skill } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";
import { type Found, type Listed, type Loaded, list, load, prompt, rpc, search, talk } from "./codelia-support.ts";

const machine = createMachines();
const repo = "project/.agents/skills";
const user = "home/.agents/skills";
const allowed = { "home/.config/skillholm/config.toml": '[[permissions.allow]]\ntool = "skill_load"\n' };

interface Inspection {
  readonly prompt: { readonly text: string };
  readonly skills: {
    readonly enabled: boolean;
    readonly root_dir: string;
    readonly working_dir: string;
    readonly catalog: Listed;
    readonly loaded_versions: readonly { readonly path: string; readonly mtime_ms: number }[];
  };
}

const on = machine({
  ...allowed,
  "project/.codelia": "",
  "project/sub/x": "",
  [`${repo}/zebra/SKILL.md`]: "no frontmatter",
  [`${repo}/apple/SKILL.md`]: "no frontmatter",
  [`${repo}/notes/SKILL.md`]: skill("notes", "Drafts release notes.", "BODY-OF-NOTES"),
  [`${repo}/review/SKILL.md`]: skill("review", "Reviews a release."),
  [`${user}/broken/SKILL.md`]: skill("other"),
  [`${user}/mine/SKILL.md`]: skill("mine"),
  "store/linked/SKILL.md": skill("linked"),
});
symlinkSync(on.at("store/linked"), on.at(`${user}/linked`));
const sub = { cwd: "project/sub" };

/** The published schema of what a tool gives, as a check. */
async function outputSchemas(at: Machine): Promise<Readonly<Record<string, z.ZodType>>> {
  const { json } = await at.runJson(["tool", "--profile", "codelia"]);
  const { tools } = json as { tools: { name: string; outputSchema: Parameters<typeof z.fromJSONSchema>[0] }[] };
  return Object.fromEntries(tools.map(({ name, outputSchema }) => [name, z.fromJSONSchema(outputSchema)]));
}

describe("codelia: its RPC", () => {
  const listed = list(on, sub);

  it("S1-95, S1-97 answers skills.list with skills, errors in order of their paths, and whether it was cut", async () => {
    const [hello, answer] = await rpc<object>(on, [
      ["initialize", {}],
      ["skills.list", {}],
    ]);
    expect(hello?.result).toMatchObject({ supports_skills_list: true });
    expect(Object.keys(answer?.result ?? {})).toEqual(["skills", "errors", "truncated"]);
    const { skillCatalog } = codeliaSchemas();
    expect(z.fromJSONSchema(skillCatalog as { type: "object" }).parse(answer?.result)).toEqual(answer?.result);
    const { errors, truncated } = Object(answer?.result) as Listed;
    expect(truncated).toBe(false);
    expect(errors.map(({ path }) => path)).toEqual([
      on.at(`${user}/broken/SKILL.md`),
      on.at(`${repo}/apple/SKILL.md`),
      on.at(`${repo}/zebra/SKILL.md`),
    ]);
    for (const params of [{ cwd: 5 }, { force_reload: "yes" }, { cwd: "/nowhere/at/all" }, { more: true }]) {
      const [refused] = await rpc(on, [["skills.list", params]]);
      expect(refused?.error?.code).toBe(-32_602);
    }
  });

  it("S1-27 says truncated when a limit left something out", async () => {
    expect(await listed).toMatchObject({ truncated: false, skills: { length: 4 } });
    const cut = await list(on, { ...sub, env: { SKILLHOLM_SKILLS_MAX_SKILLS: "1" } });
    expect(Object.keys(cut)).toEqual(["skills", "errors", "truncated"]);
    expect(cut).toMatchObject({ truncated: true, skills: { length: 1 } });
  });

  it("S1-23, S1-25 tells of each skill by absolute paths, where it really lies", async () => {
    const { skills } = await listed;
    const [notes] = skills;
    expect(notes).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      skill_id: notes?.id,
      name: "notes",
      description: "Drafts release notes.",
      path: on.at(`${repo}/notes/SKILL.md`),
      dir: on.at(`${repo}/notes`),
      scope: "repo",
      mtime_ms: expect.any(Number),
    });
    expect(skills.find(({ name }) => name === "linked")).toMatchObject({
      path: on.at("store/linked/SKILL.md"),
      dir: on.at("store/linked"),
      scope: "user",
    });
    expect((await prompt(on, [], sub)).text).toContain(`<path>${on.at("store/linked/SKILL.md")}</path>`);
  });

  it("S1-24 gives a skill one id, in every answer and by every way to it", async () => {
    const ids = new Map((await listed).skills.map(({ name, id }) => [name, id]));
    expect(new Set(ids.values()).size).toBe(4);
    const { results } = await search(on, { query: on.at("store/linked/SKILL.md") }, sub);
    expect(results[0]).toMatchObject({ reason: "exact_path", skill: { id: ids.get("linked") } });
    for (const path of [on.at("store/linked/SKILL.md"), on.at(`${user}/linked/SKILL.md`)]) {
      const { loaded } = await load(on, { path }, [], sub);
      expect(loaded.skill).toMatchObject({ id: ids.get("linked"), path: on.at("store/linked/SKILL.md") });
      expect(loaded.content).toContain(`Base directory: file://${on.at("store/linked")}/`);
    }
    // Another file of the same text is another skill.
    const twins = await list(
      machine({ [`${repo}/a/twin/SKILL.md`]: skill("twin"), [`${repo}/b/twin/SKILL.md`]: skill("twin") }),
    );
    expect(new Set(twins.skills.map(({ id }) => id)).size).toBe(2);
  });

  it("S1-96 looks at the disk again only when it is told to", async () => {
    const own = machine({ ...allowed, [`${repo}/old/SKILL.md`]: skill("old") });
    const ask = talk(own);
    const names = async (params: object) => (await ask<Listed>("skills.list", params)).skills.map(({ name }) => name);
    expect(await names({})).toEqual(["old"]);
    layEntries(own.at(""), { [`${repo}/young/SKILL.md`]: skill("young") });
    expect(await names({})).toEqual(["old"]);
    expect(await names({ force_reload: false })).toEqual(["old"]);
    expect(await names({ force_reload: true })).toEqual(["old", "young"]);
    expect(await names({})).toEqual(["old", "young"]);
    // What is listed can be loaded.
    expect(await ask("tools.call", { name: "skill_load", input: { name: "young" } })).toMatchObject({ ok: true });
    rmSync(own.at(`${repo}/old`), { recursive: true });
    expect(await names({ force_reload: true })).toEqual(["young"]);
  });

  it("S1-98, S1-112 shows the catalog and what was loaded in context.inspect, unless it is left out", async () => {
    const [whole, less, wrong] = await rpc<Inspection>(
      on,
      [
        ["context.inspect", { include_skills: true }],
        ["context.inspect", { include_skills: false }],
        ["context.inspect", { include_skills: "yes" }],
      ],
      sub,
    );
    expect(whole?.result.skills).toEqual({
      enabled: true,
      root_dir: on.at("project"),
      working_dir: on.at("project/sub"),
      catalog: await listed,
      loaded_versions: [],
    });
    expect(less?.result).toEqual({ root_dir: on.at("project"), working_dir: on.at("project/sub") });
    expect(wrong?.error?.code).toBe(-32_602);
  });

  it("S1-68, S1-100 keeps of each loaded skill the path and the time of the version that was given", async () => {
    const own = machine({
      ...allowed,
      [`${repo}/notes/SKILL.md`]: skill("notes"),
      [`${repo}/idle/SKILL.md`]: skill("idle"),
    });
    const path = own.at(`${repo}/notes/SKILL.md`);
    const ask = talk(own);
    const versions = async () => (await ask<Inspection>("context.inspect")).skills.loaded_versions;
    const again = () => ask<Loaded>("tools.call", { name: "skill_load", input: { name: "notes" } });
    expect(await versions()).toEqual([]);
    const first = await again();
    expect(await versions()).toEqual([{ path, mtime_ms: first.skill?.mtime_ms }]);
    expect(await again()).toMatchObject({ already_loaded: true });
    expect(await versions()).toHaveLength(1);
    utimesSync(path, new Date(), new Date("2020-01-01T00:00:00Z"));
    await ask("skills.list", { force_reload: true });
    expect(await again()).toMatchObject({ already_loaded: false, content: first.content });
    expect(await versions()).toEqual([{ path, mtime_ms: Date.parse("2020-01-01T00:00:00Z") }]);
  });

  it("S1-99 keeps a catalog for each folder", async () => {
    const own = machine({
      "one/.git/HEAD": "",
      "one/.agents/skills/a/SKILL.md": skill("a"),
      "two/.git/HEAD": "",
      "two/.agents/skills/b/SKILL.md": skill("b"),
    });
    const ask = talk(own, "one");
    const names = async (params: object) => (await ask<Listed>("skills.list", params)).skills.map(({ name }) => name);
    const two = own.at("two");
    expect([await names({}), await names({ cwd: two }), await names({ cwd: "../two" })]).toEqual([["a"], ["b"], ["b"]]);
    layEntries(own.at(""), {
      "one/.agents/skills/c/SKILL.md": skill("c"),
      "two/.agents/skills/d/SKILL.md": skill("d"),
    });
    // To look at one again leaves the other as it was.
    expect([await names({ cwd: two, force_reload: true }), await names({})]).toEqual([["b", "d"], ["a"]]);
    expect([await names({ force_reload: true }), await names({ cwd: two })]).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
  });

  it("S1-29 publishes schemas that its answers keep to, and that take nothing else", async () => {
    const schemas = await outputSchemas(on);
    const session = ["--session", on.at("session.json")];
    const loaded = (await load(on, { name: "notes" }, session, sub)).loaded;
    const failed = (await load(on, { name: "nobody" }, [], sub)).loaded;
    const reminded = (await load(on, { name: "notes" }, session, sub)).loaded;
    const found = await search(on, { query: "release" }, sub);
    const [inspected] = await rpc<Inspection>(on, [["context.inspect", {}]], sub);
    const { skillsInspection, skillCatalog, skillMetadata, skillSearchResult, skillLoadError } = codeliaSchemas();
    const asJson = (schema: object) => z.fromJSONSchema(schema as { type: "object" });
    const pairs: readonly (readonly [z.ZodType | undefined, object | null | undefined])[] = [
      [schemas.skill_load, loaded],
      [schemas.skill_load, failed],
      [schemas.skill_load, reminded],
      [schemas.skill_search, found],
      [asJson(skillSearchResult), found.results[0]],
      [asJson(skillMetadata), loaded.skill],
      [asJson(skillCatalog), await listed],
      [asJson(skillLoadError), (await listed).errors[0]],
      [asJson(skillsInspection), inspected?.result.skills],
    ];
    expect([loaded.ok, failed.ok, reminded.already_loaded, found.count]).toEqual([true, false, true, 2]);
    for (const [schema, value] of pairs) {
      expect(schema?.safeParse(value)).toMatchObject({ success: true });
      expect(schema?.safeParse({ ...value, extra: 1 }).success).toBe(false);
      const [first = ""] = Object.keys(value ?? {});
      expect(schema?.safeParse({ ...value, [first]: undefined }).success).toBe(false);
    }
    const { skill: about } = loaded;
    expect(schemas.skill_load?.safeParse({ ...loaded, skill: { ...about, extra: 1 } }).success).toBe(false);
    expect(schemas.skill_load?.safeParse({ ...loaded, skill: { ...about, scope: "system" } }).success).toBe(false);
  });

  it("S1-114 finds, shows, lists, searches and loads in one conversation", async () => {
    mkdirSync(on.at("project/sub"), { recursive: true });
    const path = on.at(`${repo}/notes/SKILL.md`);
    const ask = talk(on, "project/sub");
    const { skills } = await ask<Listed>("skills.list");
    expect(skills.map(({ name }) => name).toSorted()).toEqual(["linked", "mine", "notes", "review"]);
    const before = await ask<Inspection>("context.inspect", { include_skills: true });
    expect(before.prompt.text).toContain(`<path>${path}</path>`);
    const call = <T>(name: string, input: object) => ask<T>("tools.call", { name, input });
    const { results } = await call<Found>("skill_search", { query: "draft release notes" });
    expect(results[0]?.skill.path).toBe(path);
    const { content } = await call<Loaded>("skill_load", { path: results[0]?.skill.path });
    expect(content).toContain("BODY-OF-NOTES");
    const after = await ask<Inspection>("context.inspect", { include_skills: true });
    expect(after.skills.loaded_versions).toEqual([{ path, mtime_ms: results[0]?.skill.mtime_ms }]);
    expect(after.prompt).toEqual(before.prompt);
  });
});
