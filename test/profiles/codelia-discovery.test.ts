import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "../../hosts/cli/test/command.ts";
import { callAll, type Loaded, list, load, prompt, search } from "./codelia-support.ts";

const machine = createMachines();
const repo = "project/.agents/skills";
const user = "home/.agents/skills";

function names({ skills }: { readonly skills: readonly { readonly name: string }[] }): readonly string[] {
  return skills.map(({ name }) => name).toSorted();
}

/** A repository with skills at its root, half way down and where the work is done. */
const chain = machine({
  "outside/.agents/skills/stranger/SKILL.md": skill("stranger"),
  "outside/repo/.codelia/x": "",
  "outside/repo/.agents/skills/top/SKILL.md": skill("top"),
  "outside/repo/a/.agents/skills/mid/SKILL.md": skill("mid"),
  "outside/repo/a/b/.agents/skills/group/deep/low/SKILL.md": skill("low"),
  "outside/repo/a/b/.claude/skills/claude/SKILL.md": skill("claude"),
  "outside/repo/a/b/.codex/skills/codex/SKILL.md": skill("codex"),
  "outside/repo/a/b/skills/plain/SKILL.md": skill("plain"),
  "outside/repo/a/b/c/.agents/skills/below/SKILL.md": skill("below"),
  "home/.agents/skills/mine/SKILL.md": skill("mine"),
  "home/.agents/skills/more/own/SKILL.md": skill("own"),
  "home/.claude/skills/theirs/SKILL.md": skill("theirs"),
});
const inside = { cwd: "outside/repo/a/b" };

describe("codelia: where skills are found", () => {
  const found = list(chain, inside);

  it("S1-30, S1-31, S1-106 lists every .agents/skills from the root down to the working folder, however deep", async () => {
    const { skills, errors } = await found;
    const own = skills.filter(({ scope }) => scope === "repo").map(({ path }) => path);
    expect(own).toEqual([
      chain.at("outside/repo/.agents/skills/top/SKILL.md"),
      chain.at("outside/repo/a/.agents/skills/mid/SKILL.md"),
      chain.at("outside/repo/a/b/.agents/skills/group/deep/low/SKILL.md"),
    ]);
    expect(errors).toEqual([]);
  });

  it("S1-32, S1-107 lists the home folder's as the user's", async () => {
    const own = (await found).skills.filter(({ scope }) => scope === "user").map(({ path }) => path);
    expect(own).toEqual([
      chain.at("home/.agents/skills/mine/SKILL.md"),
      chain.at("home/.agents/skills/more/own/SKILL.md"),
    ]);
    const other = await list(chain, { ...inside, env: { HOME: chain.at("nobody") } });
    expect(names(other)).toEqual(["low", "mid", "top"]);
  });

  it("S1-6, S1-18 looks in no other folder, .claude/skills included", async () => {
    expect(names(await found)).toEqual(["low", "mid", "mine", "own", "top"]);
    const others = ["claude", "codex", "plain", "theirs", "below", "stranger"].map((name) => ({ name }));
    const loaded = await callAll<Loaded>(chain, "skill_load", others, inside);
    expect(loaded.map(({ ok, error }) => ({ ok, error }))).toEqual(
      others.map(({ name }) => ({ ok: false, error: expect.stringContaining(`No skill "${name}"`) })),
    );
  });

  it("S1-7, S1-22 knows the scopes repo and user, and no skills of the system", async () => {
    const { skills } = await found;
    expect([...new Set(skills.map(({ scope }) => scope))]).toEqual(["repo", "user"]);
    expect(skills.every(({ path }) => path.startsWith(chain.at("")))).toBe(true);
    const refused = await chain.run(
      ["tool", "skill_search", '{"query":"top","scope":"system"}', "--profile", "codelia"],
      inside,
    );
    expect(refused.status).toBe(1);
    expect(JSON.parse(refused.stdout)).toEqual({ error: expect.stringContaining("scope") });
  });

  it("S1-33 takes the root from CODELIA_AGENTS_ROOT before any marker", async () => {
    const at = (root: string) => list(chain, { ...inside, env: { CODELIA_AGENTS_ROOT: root } });
    expect(names(await at(chain.at("outside")))).toEqual(["low", "mid", "mine", "own", "stranger", "top"]);
    expect(names(await at(chain.at("outside/repo/a")))).toEqual(["low", "mid", "mine", "own"]);
    expect(names(await at(""))).toEqual(["low", "mid", "mine", "own", "top"]);
  });

  it("S1-34 ends at the nearest folder with .codelia, .git or .jj, file or folder, and without one at the working folder, unless other markers are named", async () => {
    const on = machine({
      "p/.agents/skills/high/SKILL.md": skill("high"),
      "p/git/.git": "gitdir: elsewhere",
      "p/git/.agents/skills/root/SKILL.md": skill("root"),
      "p/git/x/.agents/skills/here/SKILL.md": skill("here"),
      "p/jj/.jj/repo": "",
      "p/jj/.agents/skills/root/SKILL.md": skill("root"),
      "p/jj/x/.agents/skills/here/SKILL.md": skill("here"),
      "p/codelia/.codelia": "",
      "p/codelia/.git/HEAD": "",
      "p/codelia/.agents/skills/root/SKILL.md": skill("root"),
      "p/codelia/x/.codelia": "",
      "p/codelia/x/.agents/skills/here/SKILL.md": skill("here"),
      "p/none/.hg/x": "",
      "p/none/.agents/skills/root/SKILL.md": skill("root"),
      "p/none/x/.agents/skills/here/SKILL.md": skill("here"),
    });
    const seen = async (cwd: string) => names(await list(on, { cwd }));
    expect(await Promise.all(["p/git/x", "p/jj/x", "p/codelia/x", "p/none/x"].map(seen))).toEqual([
      ["here", "root"],
      ["here", "root"],
      ["here"],
      ["here"],
    ]);
    const other = { cwd: "p/none/x", env: { SKILLHOLM_SKILLS_MARKERS: ".hg" } };
    expect(names(await list(on, other))).toEqual(["here", "root"]);
  });

  it("S1-42 keeps a file that two ways lead to once", async () => {
    const on = machine({ [`${repo}/both/SKILL.md`]: skill("both"), "project/.git/HEAD": "" });
    mkdirSync(on.at(user), { recursive: true });
    symlinkSync(on.at(`${repo}/both`), on.at(`${user}/both`));
    const { skills } = await list(on);
    expect(skills.map(({ path, scope }) => ({ path, scope }))).toEqual([
      { path: on.at(`${repo}/both/SKILL.md`), scope: "repo" },
    ]);
  });

  it("S1-9 takes each folder with a SKILL.md as one skill, also inside another", async () => {
    const on = machine({
      [`${repo}/outer/SKILL.md`]: skill("outer"),
      [`${repo}/outer/one/SKILL.md`]: skill("one"),
      [`${repo}/outer/two/SKILL.md`]: skill("two"),
      [`${repo}/empty/README.md`]: "no skill",
      [`${repo}/folder/SKILL.md/x`]: "no file",
    });
    const { skills } = await list(on);
    expect(names({ skills })).toEqual(["one", "outer", "two"]);
  });

  it("S1-43 keeps all skills of one name", async () => {
    const on = machine({ [`${repo}/twin/SKILL.md`]: skill("twin"), [`${user}/twin/SKILL.md`]: skill("twin") });
    expect((await list(on)).skills.map(({ path }) => path)).toEqual([
      on.at(`${repo}/twin/SKILL.md`),
      on.at(`${user}/twin/SKILL.md`),
    ]);
  });
});

const long = "n".repeat(65);
const texts: Readonly<Record<string, string>> = {
  // Named as their folders unless a folder cannot have the name.
  good: skill("good", "p"),
  paper: skill("paper", "Paper."),
  [long.slice(1)]: skill(long.slice(1)),
  widest: skill("widest", "é".repeat(1024)),
  detailed: "---\nname: detailed\ndescription: D.\nversion: 1.2.0\nlicense: MIT\nmetadata:\n  owner: me\n---\nDo it.\n",
  [long]: skill(long),
  Upper: skill("Upper"),
  snake_case: skill("snake_case"),
  "dot.ted": skill("dot.ted"),
  "a b": skill("a b"),
  größe: skill("größe"),
  "a--b": skill("a--b"),
  "-a": skill("-a"),
  "a-": skill("a-"),
  unnamed: "---\ndescription: D.\n---\n",
  blank: '---\nname: ""\ndescription: D.\n---\n',
  wordless: "---\nname: wordless\n---\n",
  spaces: '---\nname: spaces\ndescription: "   "\n---\n',
  wordy: skill("wordy", `Paper ${"d".repeat(1019)}`),
  other: skill("another"),
  bare: "no frontmatter\n",
  open: "---\nname: open\ndescription: D.\n",
};

describe("codelia: which files are skills", () => {
  const on: Machine = machine(
    Object.fromEntries(Object.entries(texts).map(([folder, text]) => [`${repo}/${folder}/SKILL.md`, text])),
  );
  const listed = list(on);
  const errorOf = async (folder: string) =>
    (await listed).errors.find(({ path }) => path === on.at(`${repo}/${folder}/SKILL.md`))?.message;
  const valid = ["detailed", "good", "paper", long.slice(1), "widest"];

  it("S1-10 needs a frontmatter with a name and a description", async () => {
    expect(await errorOf("unnamed")).toContain("no name");
    expect(await errorOf("blank")).toContain("no name");
    expect(await errorOf("wordless")).toContain("no description");
    expect(await errorOf("bare")).toContain('does not begin with a "---" line');
    expect(await errorOf("open")).toContain('no closing "---" line');
  });

  it("S1-35 takes names of 1 to 64 of a-z, 0-9 and hyphens only", async () => {
    expect(await errorOf(long.slice(1))).toBeUndefined();
    expect(await errorOf(long)).toBe("name has 65 characters; at most 64 are allowed");
    for (const name of ["Upper", "snake_case", "dot.ted", "a b", "größe"]) {
      expect(await errorOf(name)).toContain(`name ${JSON.stringify(name)} should`);
    }
  });

  it("S1-39 takes no name with a hyphen at an end or two in a row", async () => {
    for (const name of ["a--b", "-a", "a-"])
      expect(await errorOf(name)).toContain(`name ${JSON.stringify(name)} should`);
  });

  it("S1-36 takes descriptions of 1 to 1024 characters", async () => {
    expect(await errorOf("good")).toBeUndefined();
    expect(await errorOf("widest")).toBeUndefined();
    expect(await errorOf("wordy")).toBe("description has 1025 characters; at most 1024 are allowed");
    expect(await errorOf("spaces")).toContain("no description");
  });

  it("S1-38 takes no name that is not its folder's", async () => {
    expect(await errorOf("other")).toBe('name is "another", folder is "other"; they should be the same');
  });

  it("S1-37 takes version, license and metadata, and shows them", async () => {
    expect(await errorOf("detailed")).toBeUndefined();
    const { json } = await on.runJson(["show", "detailed", "--profile", "codelia"]);
    const { fields } = json as { fields: readonly { key: string; value: string }[] };
    expect(Object.fromEntries(fields.map(({ key, value }) => [key, value]))).toEqual({
      name: "detailed",
      description: "D.",
      version: "1.2.0",
      license: "MIT",
      metadata: '{"owner":"me"}',
    });
  });

  it("S1-40 never lists, finds or loads what is invalid", async () => {
    expect(names(await listed)).toEqual(valid.toSorted());
    const { results } = await search(on, { query: "paper", limit: 50 });
    expect(results.map((each) => each.skill.name)).toEqual(["paper"]);
    const { text } = await prompt(on);
    expect([...text.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name).toSorted()).toEqual(valid.toSorted());
    for (const input of [{ name: "another" }, { name: "wordy" }, { path: on.at(`${repo}/wordy/SKILL.md`) }]) {
      const { status, loaded } = await load(on, input);
      expect({ status, ok: loaded.ok, content: loaded.content }).toEqual({ status: 1, ok: false, content: null });
    }
  });

  it("S1-26, S1-41 records each invalid file with its path and what is wrong", async () => {
    const { errors } = await listed;
    const invalid = Object.keys(texts).filter((folder) => !valid.includes(folder));
    expect(errors.map(({ path }) => path).toSorted()).toEqual(
      invalid.map((folder) => on.at(`${repo}/${folder}/SKILL.md`)).toSorted(),
    );
    for (const error of errors) {
      expect(error).toEqual({ path: expect.stringMatching(/\/SKILL\.md$/), message: expect.stringMatching(/\S/) });
    }
  });
});

describe("codelia: what is switched off, and what is never asked", () => {
  it("S1-15 switches a skill off apart from the search, which then does not find it", async () => {
    const on = machine({
      [`${repo}/pdf/SKILL.md`]: skill("pdf", "Reads papers."),
      [`${repo}/doc/SKILL.md`]: skill("doc", "Reads papers."),
      "project/skillholm.toml": '[skills]\ndisabled = ["pdf"]\n',
    });
    expect((await search(on, { query: "papers" })).results.map((each) => each.skill.name)).toEqual(["doc"]);
    expect((await search(on, { query: "pdf" })).count).toBe(0);
    expect((await load(on, { name: "pdf" })).loaded.error).toContain("switched off");
    const { json } = await on.runJson(["list", "--profile", "codelia"]);
    expect(json).toMatchObject({ skills: [{ name: "doc" }], hidden: [{ name: "pdf", state: "disabled" }] });
  });

  it("S1-5, S1-105 asks nothing of a network to list, search or load", async () => {
    const watch = `import net from "node:net"; import dns from "node:dns"; import dgram from "node:dgram";
      const told = (what) => () => { process.stderr.write("NETWORK " + what); throw new Error("no network"); };
      net.Socket.prototype.connect = told("connect"); dns.lookup = told("lookup"); dgram.createSocket = told("dgram");
      globalThis.fetch = told("fetch");`;
    const node = ["--import", `data:text/javascript,${encodeURIComponent(watch)}`];
    // The watch itself hears of a request.
    const control = spawnSync(process.execPath, [...node, "-e", "require('node:net').connect(9, '127.0.0.1')"]);
    expect(control.stderr.toString()).toContain("NETWORK connect");
    const body = "See https://example.com/SKILL.md and ![x](https://example.com/x.png).";
    const on = machine({ [`${repo}/net/SKILL.md`]: skill("net", "From https://example.com/skills.", body) });
    for (const args of [
      ["list"],
      ["prompt", "--for", "use $net and https://example.com/a/SKILL.md"],
      ["tool", "skill_search", '{"query":"https://example.com/skills"}'],
      ["tool", "skill_load", '{"name":"net"}', "--yes"],
    ]) {
      const { status, stderr } = await on.run([...args, "--profile", "codelia"], { node });
      expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("NETWORK") });
    }
    const remote = await load(on, { path: "https://example.com/SKILL.md" });
    expect(remote).toMatchObject({ status: 1, loaded: { ok: false, content: null } });
  });
});
