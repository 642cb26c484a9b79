import { describe, expect, it } from "vitest";
import { createMachines } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";

const machine = createMachines();
const profile = ["--profile", "agent-base"];

interface Listing {
  readonly skills: readonly { name: string; description: string; scope: string; path: string }[];
  readonly hidden: readonly { name: string; path: string; state: string; reason: string; winner?: string }[];
}

function manifest(name: string, more = "", body = "# Title\n\nDo it.\n", description = `About ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`;
}

describe("agent-base: the manifest", () => {
  const folder = "home/.agent/skills";
  const long = (length: number) => "a".repeat(length);
  const goodNames = ["a", "7", "a1", "my-skill", "my-2nd-skill", "a-b-c", long(64)];
  const badNames = ["My-skill", "my_skill", "-a", "a-", "a--b", "a b", "a.b", "ä", "技能", long(65)];
  const named = Object.fromEntries(
    [...goodNames, ...badNames].map((name) => [`${folder}/${name}/SKILL.md`, manifest(JSON.stringify(name))]),
  );
  const described = (name: string, description: string) => manifest(name, "", "Do it.\n", description);
  const home = machine({
    ...named,
    [`${folder}/windows/SKILL.md`]: manifest("windows").replaceAll("\n", "\r\n"),
    [`${folder}/empty-body/SKILL.md`]: "---\nname: empty-body\ndescription: Nothing below.\n---\n",
    [`${folder}/no-name/SKILL.md`]: "---\ndescription: Nameless.\n---\nDo it.\n",
    [`${folder}/no-text/SKILL.md`]: "---\nname: no-text\n---\nDo it.\n",
    [`${folder}/blank-text/SKILL.md`]: described("blank-text", '"   "'),
    [`${folder}/text-1/SKILL.md`]: described("text-1", "x"),
    [`${folder}/text-1024/SKILL.md`]: described("text-1024", long(1024)),
    [`${folder}/text-1025/SKILL.md`]: described("text-1025", long(1025)),
    [`${folder}/stars-1024/SKILL.md`]: described("stars-1024", "🌟".repeat(1024)),
    [`${folder}/license-name/SKILL.md`]: manifest("license-name", "license: MIT\n"),
    [`${folder}/license-file/SKILL.md`]: manifest("license-file", "license: LICENSE.txt\n"),
    [`${folder}/needs-500/SKILL.md`]: manifest("needs-500", `compatibility: ${long(500)}\n`),
    [`${folder}/needs-501/SKILL.md`]: manifest("needs-501", `compatibility: ${long(501)}\n`),
    [`${folder}/needs-none/SKILL.md`]: manifest("needs-none", 'compatibility: ""\n'),
    [`${folder}/meta-list/SKILL.md`]: manifest("meta-list", "metadata:\n  tags: [a, b]\n"),
    [`${folder}/meta-map/SKILL.md`]: manifest("meta-map", "metadata:\n  author:\n    name: Ada\n"),
    [`${folder}/meta-text/SKILL.md`]: manifest("meta-text", "metadata: Ada\n"),
    [`${folder}/meta-number/SKILL.md`]: manifest("meta-number", "metadata:\n  version: 1.0\n"),
    [`${folder}/one-folder/SKILL.md`]: manifest("other-name"),
    [`${folder}/odd-keys/SKILL.md`]: manifest("odd-keys", "version: 1\nauthor: Ada\nModel: x\n"),
    [`${folder}/__proto__/SKILL.md`]: manifest("__proto__"),
    [`${folder}/group/deep/SKILL.md`]: manifest("deep"),
    [`${folder}/SKILL.md`]: manifest("skills"),
  });
  const list = home.runJson(["list", ...profile]).then(({ json }) => json as Listing);
  /** `listed`, or why not. */
  const verdict = async (name: string) => {
    const { skills, hidden } = await list;
    const path = home.at(`${folder}/${name}/SKILL.md`);
    if (skills.some((each) => each.path === path)) return "listed";
    return hidden.find((each) => each.path === path)?.reason;
  };
  const fields = async (name: string) => {
    const { json } = await home.runJson(["show", name, ...profile]);
    const shown = (json as { fields: readonly { key: string; value: unknown }[] }).fields;
    return Object.fromEntries(shown.map(({ key, value }) => [key, value]));
  };

  it("S2-8 reads front matter and instructions, with any line ends, and an empty body", async () => {
    expect(await verdict("windows")).toBe("listed");
    expect(await verdict("empty-body")).toBe("listed");
    const { json } = await home.runJson(["load", "windows", ...profile]);
    expect(json).toMatchObject({ content: manifest("windows").replaceAll("\n", "\r\n") });
  });

  it("S2-9, S2-16 takes names of 1 to 64 small letters, digits and single hyphens, and no others", async () => {
    for (const name of goodNames) expect([name, await verdict(name)]).toEqual([name, "listed"]);
    for (const name of [...badNames, "__proto__"]) {
      expect(await verdict(name)).toMatch(/^name (".*" should |has 65 characters)/);
    }
    expect(await verdict("no-name")).toBe("no name; give the skill one");
  });

  it("S2-10 needs a description of 1 to 1024 characters", async () => {
    expect(await verdict("text-1")).toBe("listed");
    expect(await verdict("text-1024")).toBe("listed");
    expect(await verdict("stars-1024")).toBe("listed");
    expect(await verdict("text-1025")).toBe("description has 1025 characters; at most 1024 are allowed");
    expect(await verdict("no-text")).toContain("no description");
    expect(await verdict("blank-text")).toContain("no description");
  });

  it("S2-11 keeps a license as it is written, a name or a file", async () => {
    expect(await fields("license-name")).toMatchObject({ license: "MIT" });
    expect(await fields("license-file")).toMatchObject({ license: "LICENSE.txt" });
  });

  it("S2-12 takes a compatibility of 1 to 500 characters", async () => {
    expect(await verdict("needs-500")).toBe("listed");
    expect(await verdict("needs-501")).toBe("compatibility has 501 characters; it should be a text of 1 to 500");
    expect(await verdict("needs-none")).toBe("compatibility has 0 characters; it should be a text of 1 to 500");
  });

  it("S2-13 takes metadata of texts; a number is a text, a list or a mapping is not", async () => {
    for (const name of ["meta-list", "meta-map", "meta-text"]) {
      expect(await verdict(name)).toBe("metadata should be a mapping of texts to texts");
    }
    expect(await verdict("meta-number")).toBe("listed");
  });

  it("S2-15 wants the name of the folder, and quotes both", async () => {
    const reason = await verdict("one-folder");
    expect(reason).toContain('"other-name"');
    expect(reason).toContain('"one-folder"');
  });

  it("S2-17 rejects unknown keys, all of them by name, and says so to a model", async () => {
    expect(await verdict("odd-keys")).toContain('unknown keys "version", "author", "Model"');
    const { status, stdout } = await home.run(["tool", "activate_skill", '{"name":"odd-keys"}', ...profile]);
    expect(status).toBe(1);
    expect(stdout).toContain('unknown keys "version", "author", "Model"');
  });

  it("S2-37 takes the user's own skills from ~/.agent/skills, one folder deep", async () => {
    const { skills } = await list;
    expect(skills.find(({ name }) => name === "my-skill")).toMatchObject({
      scope: "user",
      path: home.at(`${folder}/my-skill/SKILL.md`),
    });
    expect(skills.map(({ name }) => name)).not.toContain("deep");
    expect(skills.map(({ name }) => name)).not.toContain("skills");
  });
});

describe("agent-base: the sources", () => {
  const bundled = ["fix-a-missing-skill", "review-a-skill", "skills-system-validation", "write-a-skill"];
  const names = ({ skills }: Listing) => skills.map(({ name, scope }) => `${name} ${scope}`);

  it("S2-36 ships skills of its own, there when nothing else is", async () => {
    const { json } = await machine({}).runJson(["list", ...profile]);
    expect(names(json as Listing)).toEqual(bundled.map((name) => `${name} system`));
    expect((json as Listing).hidden).toEqual([]);
  });

  it("S2-38 takes a project's skills from ./.agent/skills, and the later source wins a name", async () => {
    const text = "---\nname: shared\ndescription: Of the";
    const home = machine({
      "home/.agent/skills/shared/SKILL.md": `${text} user.\n---\n`,
      "project/.agent/skills/shared/SKILL.md": `${text} project.\n---\n`,
      "project/.agent/skills/write-a-skill/SKILL.md": "---\nname: write-a-skill\ndescription: Ours.\n---\n",
      "project/.agents/skills/elsewhere/SKILL.md": "---\nname: elsewhere\ndescription: Another system's.\n---\n",
    });
    const { json } = await home.runJson(["list", ...profile]);
    const { skills, hidden } = json as Listing;
    expect(
      skills.filter(({ scope }) => scope !== "system").map(({ name, description }) => [name, description]),
    ).toEqual([
      ["shared", "Of the project."],
      ["write-a-skill", "Ours."],
    ]);
    expect(Object.fromEntries(hidden.map(({ name, state, winner }) => [name, [state, winner]]))).toEqual({
      "write-a-skill": ["shadowed", home.at("project/.agent/skills/write-a-skill/SKILL.md")],
      shared: ["shadowed", home.at("project/.agent/skills/shared/SKILL.md")],
    });
  });

  it("S2-43, S2-44 lists a new skill of two fields at the next start, and reads its examples", async () => {
    const home = machine({});
    const before = await home.runJson(["list", ...profile]);
    expect(names(before.json as Listing)).not.toContain("my-skill user");
    layEntries(home.at("home/.agent/skills/my-skill"), {
      "SKILL.md":
        "---\nname: my-skill\ndescription: My custom skill for doing useful things\n---\n\n# My Skill\n\nInstructions.\n",
      "references/examples.md": "# Examples\n\nOne.\n",
    });
    const after = await home.runJson(["list", ...profile]);
    expect(names(after.json as Listing)).toContain("my-skill user");
    const read = await home.runJson(["read", "my-skill", "references/examples.md", ...profile]);
    expect(read).toMatchObject({ status: 0, json: { content: "# Examples\n\nOne.\n" } });
  });

  it("S2-55 shows its three sources in the configuration, and takes others from there", async () => {
    const home = machine({
      "home/.config/skillholm/config.toml":
        'profile = "agent-base"\n[[skills.roots]]\npath = "~/first"\nscope = "system"\n[[skills.roots]]\npath = "~/second"\nscope = "user"\n',
      "home/first/a/SKILL.md": manifest("a", "", "", "First."),
      "home/second/a/SKILL.md": manifest("a", "", "", "Second."),
    });
    const { json } = await machine({}).runJson(["config", ...profile]);
    const { roots } = json as { roots: readonly { value: { path: string; scope: string } }[] };
    expect(roots.map(({ value: { scope } }) => scope)).toEqual(["system", "user", "project"]);
    expect(roots.map(({ value: { path } }) => path.split("/").slice(-2).join("/")).slice(1)).toEqual([
      ".agent/skills",
      ".agent/skills",
    ]);
    const list = (await home.runJson(["list"])).json as Listing;
    expect(list.skills.map(({ description, scope }) => [description, scope])).toEqual([["Second.", "user"]]);
  });
});
