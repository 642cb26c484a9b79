import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type RunOptions, skill } from "../../hosts/cli/test/command.ts";
import { remcochat, startTalk, switchedOn, type Trace, tracer } from "./remcochat-machine.ts";

const machine = createMachines();

interface Listing {
  readonly enabled: boolean;
  readonly scanRoots: readonly string[];
  readonly skills: readonly { readonly name: string; readonly description: string; readonly sourceDir: string }[];
  readonly hidden: readonly object[];
  readonly collisions: readonly object[];
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  readonly truncated: boolean;
}

interface Config {
  readonly values: Readonly<Record<string, { readonly value: unknown; readonly from: string }>>;
  readonly roots: readonly { readonly value: { readonly path: string } }[];
}

const names = ({ skills }: Pick<Listing, "skills">) => skills.map(({ name }) => name);

describe("switching RemcoChat's skills on", () => {
  const off = machine({ "project/.skills/a/SKILL.md": skill("a"), "trace.cjs": tracer });

  it("S0-18, S0-19, S0-29, S0-107 are off with no section, one without the key, and one that says so", async () => {
    for (const text of [
      "",
      "[app]\nname = 'x'\n",
      "[app.skills]\nmax_skills = 9\n",
      "[app.skills]\nenabled = false\n",
    ]) {
      writeFileSync(off.at("project/config.toml"), text);
      const list = await remcochat<Listing>(off, ["list"]);
      expect(list).toMatchObject({ enabled: false, skills: [], hidden: [] });
    }
    writeFileSync(off.at("project/config.toml"), "[app.skills]\nenabled = true\n");
    expect(names(await remcochat<Listing>(off, ["list"]))).toEqual(["a"]);
    rmSync(off.at("project/config.toml"));
  });

  it("S0-18 names the line of what cannot be meant", async () => {
    for (const [text, line] of [
      ["[app.skills]\nenabled = 'yes'\n", 2],
      ["[app.skills]\nenabled = true\ndirectories = './x'\n", 3],
      ["[app.skills]\n\nmax_skils = 3\n", 3],
      ["[app.skills]\nmax_resource_bytes = -1\n", 2],
    ] as const) {
      writeFileSync(off.at("wrong.toml"), text);
      const { status, stderr } = await off.run(["list", "--profile", "remcochat", "--config", off.at("wrong.toml")]);
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(`wrong.toml:${line}`) });
    }
  });

  it("S0-30, S0-31, S0-32 looks at nothing, says nothing and offers no tools while they are off", async () => {
    const trace = async (env: Readonly<Record<string, string>>): Promise<Trace> => {
      const options = { node: ["--require", off.at("trace.cjs")], env: { ...env, TRACE_FILE: off.at("trace.json") } };
      await off.run(["list", "--profile", "remcochat"], options);
      return JSON.parse(readFileSync(off.at("trace.json"), "utf8")) as Trace;
    };
    const inRoots = (all: Trace) =>
      Object.keys(all).filter((path) => /\/(?:\.skills|skills)(?:\/|$)/.test(path) && path.startsWith(off.at("")));
    expect(inRoots(await trace({}))).toEqual([]);
    expect(inRoots(await trace({ SKILLHOLM_SKILLS_ENABLED: "true" }))).toContain(off.at("project/.skills/a/SKILL.md"));
    expect(await remcochat(off, ["prompt", "--for", "/a do"])).toMatchObject({
      text: "",
      tokens: 0,
      turn: { message: "/a do", mentions: [] },
    });
    const tools = async (options?: RunOptions) =>
      (await remcochat<{ tools: { name: string }[] }>(off, ["tool"], options)).tools;
    expect(await tools()).toEqual([]);
    expect((await tools({ env: { SKILLHOLM_SKILLS_ENABLED: "true" } })).map(({ name }) => name)).toEqual([
      "skills.activate",
      "skills.readResource",
    ]);
    const called = await off.run(["tool", "skills.activate", '{"name":"a"}', "--profile", "remcochat"]);
    expect(called).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("There is no tool") });
  });
});

describe("RemcoChat's directories and limits", () => {
  it("S0-20 has four directories in this order, and three limits", async () => {
    const bare = machine(switchedOn);
    const { roots, values } = await remcochat<Config>(bare, ["config"]);
    expect(roots.map(({ value }) => value.path)).toEqual([
      bare.at("project/.skills"),
      bare.at("project/.agents/skills"),
      bare.at("home/.agents/skills"),
      bare.at("home/.remcochat/skills"),
    ]);
    const limits = ["max_skills", "max_skill_md_bytes", "max_resource_bytes"].map(
      (key) => values[`skills.${key}`]?.value,
    );
    expect(limits).toEqual([200, 200_000, 2_000_000]);
    expect((await remcochat<Listing>(bare, ["list"])).scanRoots).toEqual(roots.map(({ value }) => value.path));
  });

  it("S0-21, S0-34, S0-35 takes paths that are absolute, from the base or from the home, from any folder", async () => {
    const wide = machine({
      "project/.git/HEAD": "",
      "project/mine/a/SKILL.md": skill("a"),
      "project/deep/er/mine/never/SKILL.md": skill("never"),
      "home/own/b/SKILL.md": skill("b"),
      "else/where/c/SKILL.md": skill("c"),
      "other-home/own/d/SKILL.md": skill("d"),
    });
    const directories = ["./mine", "~/own", wide.at("else/where")];
    writeFileSync(
      wide.at("project/config.toml"),
      `[app.skills]\nenabled = true\ndirectories = ${JSON.stringify(directories)}\n`,
    );
    const list = await remcochat<Listing>(wide, ["list"], { cwd: "project/deep/er" });
    expect(list.scanRoots).toEqual([wide.at("project/mine"), wide.at("home/own"), wide.at("else/where")]);
    expect(names(list)).toEqual(["a", "b", "c"]);
    const moved = await remcochat<Listing>(wide, ["list"], { env: { HOME: wide.at("other-home") } });
    expect(names(moved)).toEqual(["a", "d", "c"]);
  });

  it("S0-22 lists 200 skills and warns of the others", async () => {
    const files = Array.from({ length: 201 }, (_, n) => [`project/.skills/s${n}/SKILL.md`, skill(`s${n}`)]);
    const many = machine({ ...switchedOn, ...Object.fromEntries(files) });
    const list = await remcochat<Listing>(many, ["list"]);
    expect([list.skills.length, list.truncated]).toEqual([200, true]);
    expect(list.hidden).toMatchObject([{ name: "s99", state: "over-limit" }]);
    expect(list.warnings.map(({ message }) => message)).toContain("1 skills are over the limit of 200");
    rmSync(many.at("project/.skills/s0"), { recursive: true });
    expect(await remcochat<Listing>(many, ["list"])).toMatchObject({ truncated: false, hidden: [] });
  });

  describe("with one name in three of them", () => {
    const twins = machine({
      ...switchedOn,
      "project/.agents/skills/x/SKILL.md": skill("x", "Second."),
      "project/.skills/x/SKILL.md": skill("x", "First."),
      "home/.remcochat/skills/x/SKILL.md": skill("x", "Third."),
      "home/.remcochat/skills/y/SKILL.md": skill("y"),
    });

    it("S0-26, S0-27 gives the name to the first in the declared order", async () => {
      expect((await remcochat<Listing>(twins, ["list"])).skills).toMatchObject([
        { name: "x", description: "First.", sourceDir: twins.at("project/.skills") },
        { name: "y", sourceDir: twins.at("home/.remcochat/skills") },
      ]);
      const directories = ["~/.remcochat/skills", "./.agents/skills", "./.skills"];
      writeFileSync(
        twins.at("turned.toml"),
        `[app.skills]\nenabled = true\ndirectories = ${JSON.stringify(directories)}\n`,
      );
      const turned = await remcochat<Listing>(twins, ["list", "--config", twins.at("turned.toml")]);
      expect(turned.skills.map(({ description }) => description)).toEqual(["Third.", "About y."]);
    });

    it("S0-28 records who lost, for the listing and in words", async () => {
      const winner = twins.at("project/.skills/x/SKILL.md");
      const losers = [twins.at("home/.remcochat/skills/x/SKILL.md"), twins.at("project/.agents/skills/x/SKILL.md")];
      const { collisions, warnings } = await remcochat<Listing>(twins, ["list"]);
      expect(collisions).toEqual([{ name: "x", winner, losers }]);
      for (const path of losers) {
        expect(warnings).toContainEqual({ path, message: expect.stringContaining(`"x" is taken by ${winner}`) });
      }
      const { stdout } = await twins.run(["list", "--profile", "remcochat"]);
      expect(stdout.match(/shadowed +x /g)).toHaveLength(2);
    });

    it("S0-36 skips a directory that is not there, and warns of it once", async () => {
      const missing = twins.at("home/.agents/skills");
      const { warnings } = await remcochat<Listing>(twins, ["list"]);
      expect(warnings.filter(({ path }) => path === missing)).toEqual([
        { path: missing, message: "there is no such folder; it is skipped" },
      ]);
      const { stderr } = await twins.run(["list", "--profile", "remcochat"]);
      expect(stderr.split(missing)).toHaveLength(2);
    });
  });
});

describe("RemcoChat's scan", () => {
  const lay = (more: Readonly<Record<string, string>> = {}) =>
    machine({ ...switchedOn, "project/.skills/a/SKILL.md": skill("a", "As it was."), ...more });
  const change = (at: ReturnType<typeof lay>) => {
    writeFileSync(at.at("project/.skills/a/SKILL.md"), skill("a", "As it is now."));
    mkdirSync(at.at("project/.skills/late"), { recursive: true });
    writeFileSync(at.at("project/.skills/late/SKILL.md"), skill("late"));
  };
  const list = async (talk: ReturnType<typeof startTalk>, force = false) => {
    const { skills } = (await talk.ask("skills.list", { force_reload: force })) as Listing;
    return skills.map(({ name, description }) => `${name}: ${description}`);
  };
  const before = ["a: As it was."];
  const after = ["a: As it is now.", "late: About late."];
  const call = (talk: ReturnType<typeof startTalk>) =>
    talk.ask("tools.call", { name: "skills.activate", input: { name: "late" } });

  it("S0-1, S0-13, S0-58 sees what changes only after a new start", async () => {
    const at = lay();
    const talk = startTalk(at);
    expect(await list(talk)).toEqual(before);
    change(at);
    expect([await list(talk), await list(talk, true)]).toEqual([before, before]);
    expect(await call(talk)).toMatchObject({ code: "skill-not-found" });
    expect(JSON.stringify(await talk.ask("context.inspect"))).not.toContain("late");
    expect(await list(startTalk(at))).toEqual(after);
  });

  it("S0-131 sees it when it is told to, at each call, or when somebody looks, by the policy", async () => {
    const seen = async (reload: string) => {
      const at = lay();
      const talk = startTalk(at, { SKILLHOLM_SKILLS_RELOAD: reload });
      await list(talk);
      change(at);
      return [reload, await list(talk), "body" in Object(await call(talk)), await list(talk, true)];
    };
    expect(await Promise.all(["restart", "manual", "call"].map(seen))).toEqual([
      ["restart", before, false, before],
      ["manual", before, false, after],
      ["call", after, true, after],
    ]);
    const at = lay();
    const talk = startTalk(at, { SKILLHOLM_SKILLS_RELOAD: "watch" });
    expect(await list(talk)).toEqual(before);
    change(at);
    // By itself, a moment later.
    await expect.poll(() => list(talk), { timeout: 10_000 }).toEqual(after);
  });

  it("S0-33 looks once, however many ask", async () => {
    const at = lay({ "trace.cjs": tracer });
    const ask = async (count: number) => {
      const request = { jsonrpc: "2.0", method: "skills.list", params: { force_reload: true } };
      const inspect = { ...request, method: "context.inspect", params: {} };
      const stdin = Array.from({ length: count }, (_, id) =>
        JSON.stringify({ ...(id % 2 ? inspect : request), id }),
      ).join("\n");
      const options = { stdin, node: ["--require", at.at("trace.cjs")], env: { TRACE_FILE: at.at("trace.json") } };
      const { stdout } = await at.run(["rpc", "--profile", "remcochat"], options);
      expect(stdout.trim().split("\n")).toHaveLength(count);
      return (JSON.parse(readFileSync(at.at("trace.json"), "utf8")) as Trace)[at.at("project/.skills")]?.lists;
    };
    expect([await ask(1), await ask(5)]).toEqual([1, 1]);
  });

  it("S0-37, S0-38 takes immediate children that have a file named exactly SKILL.md", async () => {
    const at = lay({
      "project/.skills/SKILL.md": skill(".skills"),
      "project/.skills/deep/er/SKILL.md": skill("er"),
      "project/.skills/a/inner/SKILL.md": skill("inner"),
      "project/.skills/small/skill.md": skill("small"),
      "project/.skills/large/SKILL.MD": skill("large"),
      "project/.skills/folder/SKILL.md/SKILL.md": skill("folder"),
      "project/.skills/other/README.md": skill("other"),
      "project/.skills/file": skill("file"),
    });
    expect(names(await remcochat<Listing>(at, ["list"]))).toEqual(["a"]);
  });

  it("S0-40 reads of a huge file only its head to find it, and none of it gets into the prompt", async () => {
    const body = "BODY-MARK ".repeat(5_000_000);
    const at = lay({ "project/.skills/huge/SKILL.md": skill("huge", "Big.", body), "trace.cjs": tracer });
    const options = { node: ["--require", at.at("trace.cjs")], env: { TRACE_FILE: at.at("trace.json") } };
    const { text } = await remcochat<{ text: string }>(at, ["prompt"], options);
    expect(text).toContain('{"name":"huge","description":"Big."}');
    expect(text).not.toContain("BODY-MARK");
    const trace = JSON.parse(readFileSync(at.at("trace.json"), "utf8")) as Trace;
    const { bytes = 0 } = trace[at.at("project/.skills/huge/SKILL.md")] ?? {};
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(1_000_000);
  });
});
