import { mkdirSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, type RunOptions, skill } from "./command.ts";

const machine = createMachines();

interface Row {
  readonly name: string;
  readonly scope: string;
  readonly path: string;
  readonly state?: string;
}

/** What was found outside the bundled skills: `state scope path`, in the order of the output. */
async function found({ at, runJson }: Machine, args: readonly string[], options?: RunOptions): Promise<string[]> {
  const { json } = await runJson(["list", ...args], options);
  const { skills, hidden } = json as { skills: Row[]; hidden: Row[] };
  return [...skills, ...hidden]
    .filter((row) => row.scope !== "system")
    .map((row) => `${row.state ?? "listed"} ${row.scope} ${row.path.replace(at(""), "")}`);
}

describe("list --json", () => {
  it("tells of every skill and every hidden folder with exactly the fields of the contract", async () => {
    const { at, runJson } = machine({
      "team/one/SKILL.md": skill("one", "The team's."),
      "team/broken/SKILL.md": "no frontmatter\n",
      "mine/one/SKILL.md": skill("one", "My own."),
      "mine/copy/one/SKILL.md": skill("one", "The team's."),
    });
    expect(await runJson(["list", "--root", "../team", "--root", "../mine=user"])).toEqual({
      status: 0,
      json: {
        skills: [
          {
            name: "one",
            description: "The team's.",
            scope: "project",
            path: at("team/one/SKILL.md"),
            dir: at("team/one"),
            enabled: true,
            forModels: true,
          },
        ],
        hidden: [
          {
            name: "one",
            scope: "user",
            path: at("mine/copy/one/SKILL.md"),
            dir: at("mine/copy/one"),
            state: "shadowed",
            reason: `same text as ${at("team/one/SKILL.md")}`,
            winner: at("team/one/SKILL.md"),
          },
          {
            name: "one",
            scope: "user",
            path: at("mine/one/SKILL.md"),
            dir: at("mine/one"),
            state: "shadowed",
            reason: `${at("team/one/SKILL.md")} answers to "one"`,
            winner: at("team/one/SKILL.md"),
          },
          {
            name: "broken",
            scope: "project",
            path: at("team/broken/SKILL.md"),
            dir: at("team/broken"),
            state: "invalid",
            reason: 'the file does not begin with a "---" line, so it has no name and description',
          },
        ],
        diagnostics: [
          {
            code: "frontmatter-missing",
            severity: "error",
            path: at("team/broken/SKILL.md"),
            line: 1,
            column: 1,
            message: 'the file does not begin with a "---" line, so it has no name and description',
          },
          {
            code: "name-collision",
            severity: "warning",
            path: at("mine/one/SKILL.md"),
            message: expect.stringContaining(
              `"one" is taken by ${at("team/one/SKILL.md")}; use its path, or rename one`,
            ),
          },
        ],
        truncated: false,
        elsewhere: [],
      },
    });
  });

  it("is the same wherever the options stand, and with --cwd instead of being there", async () => {
    const { run } = machine({ "there/skills/one/SKILL.md": skill("one") });
    const [after, before] = await Promise.all([
      run(["list", "--json", "--root", "skills"], { cwd: "there" }),
      run(["--cwd", "../there", "--root", "skills", "--json", "list"]),
    ]);
    expect(before).toEqual(after);
    expect(JSON.parse(after.stdout)).toMatchObject({ skills: [{ name: "one" }] });
  });
});

describe("list looks", () => {
  it("into every folder from the working directory up to the marker, nearest first, and no further", async () => {
    const place = machine({
      ".agents/skills/above/SKILL.md": skill("above"),
      "project/.git/HEAD": "",
      "project/.agents/skills/same/SKILL.md": skill("same", "The project's."),
      "project/.agents/skills/top/SKILL.md": skill("top"),
      "project/sub/.agents/skills/same/SKILL.md": skill("same", "The sub folder's."),
      "project/sub/deep/.agents/skills/same/SKILL.md": skill("same", "The deep folder's."),
      "project/sub/deep/.agents/skills/deep/SKILL.md": skill("deep"),
      "project/sub/beside/.agents/skills/beside/SKILL.md": skill("beside"),
    });
    await place.run(["trust", "--yes"]);
    expect(await found(place, [], { cwd: "project/sub/deep" })).toEqual([
      "listed project /project/sub/deep/.agents/skills/deep/SKILL.md",
      "listed project /project/sub/deep/.agents/skills/same/SKILL.md",
      "listed project /project/.agents/skills/top/SKILL.md",
      "shadowed project /project/.agents/skills/same/SKILL.md",
      "shadowed project /project/sub/.agents/skills/same/SKILL.md",
    ]);
  });

  it.each([".git", ".jj", ".skillholm"])(
    "no further up than a folder with %s, be it a file or a folder",
    async (marker) => {
      const place = machine({
        [`project/${marker}`]: "",
        "project/.agents/skills/outer/SKILL.md": skill("outer"),
        [`project/inner/${marker}/x`]: "",
        "project/inner/.agents/skills/inner/SKILL.md": skill("inner"),
      });
      const [inside, outside] = await Promise.all([
        found(place, [], { cwd: "project/inner/src" }),
        found(place, [], { cwd: "project/src" }),
      ]);
      expect({ inside, outside }).toEqual({
        inside: ["untrusted project /project/inner/.agents/skills/inner/SKILL.md"],
        outside: ["untrusted project /project/.agents/skills/outer/SKILL.md"],
      });
    },
  );

  it("into the working directory alone where no folder above has a marker", async () => {
    const place = machine({
      "plain/.agents/skills/above/SKILL.md": skill("above"),
      "plain/sub/.agents/skills/here/SKILL.md": skill("here"),
    });
    expect(await found(place, [], { cwd: "plain/sub" })).toEqual([
      "untrusted project /plain/sub/.agents/skills/here/SKILL.md",
    ]);
  });

  it("into the home folder as the user's own, also when that is the working directory", async () => {
    const place = machine({ "home/.git/HEAD": "", "home/.agents/skills/mine/SKILL.md": skill("mine") });
    const expected = ["listed user /home/.agents/skills/mine/SKILL.md"];
    expect(await Promise.all([found(place, []), found(place, [], { cwd: "home" })])).toEqual([expected, expected]);
  });

  it("into the skills that come with the program, as system scope", async () => {
    const bundled = fileURLToPath(new URL("../../../skills", import.meta.url));
    const { json } = await machine({}).runJson(["list"]);
    const { skills } = json as { skills: Row[] };
    expect(skills.map(({ scope, path }) => `${scope} ${path}`)).toEqual(
      readdirSync(bundled)
        .sort()
        .map((name) => `system ${bundled}/${name}/SKILL.md`),
    );
  });

  it("only into the folders that --root names, and trusts them", async () => {
    const place = machine({
      "home/.agents/skills/mine/SKILL.md": skill("mine"),
      "home/.claude/skills/other/SKILL.md": skill("other"),
      "project/.agents/skills/waiting/SKILL.md": skill("waiting"),
      "project/packs/one/SKILL.md": skill("one"),
      "project/a=b/two/SKILL.md": skill("two"),
      "team/three/SKILL.md": skill("three"),
    });
    const roots = ["--root", "packs", "--root", "a=b=plugin", "--root", `${place.at("team")}=user`];
    const { json } = await place.runJson(["list", ...roots]);
    expect(json).toMatchObject({
      skills: [
        { name: "one", scope: "project" },
        { name: "two", scope: "plugin" },
        { name: "three", scope: "user" },
      ],
      hidden: [],
      elsewhere: [],
    });
  });
});

describe("list for people", () => {
  it("exits 0 and gives the reason of each hidden skill", async () => {
    const { at, run } = machine({
      "home/.agents/skills/longer-name/SKILL.md": skill("longer-name", "About\tmany  things."),
      "home/.agents/skills/broken/SKILL.md": "",
      "home/.agents/skills/a/twin/SKILL.md": skill("twin"),
      "home/.agents/skills/b/twin/SKILL.md": skill("twin"),
      "project/.git/HEAD": "",
      "project/.agents/skills/waiting/SKILL.md": skill("waiting"),
    });
    const { status, stdout } = await run(["list"]);
    const own = stdout.split("\n").filter((line) => !line.includes("  system  "));
    expect({ status, own }).toEqual({
      status: 0,
      own: [
        "twin                      user     About twin.",
        "longer-name               user     About many things.",
        "",
        "Not listed: 3 skills",
        "  shadowed    twin  ~/.agents/skills/b/twin/SKILL.md",
        `              same text as ${at("home/.agents/skills/a/twin/SKILL.md")}`,
        "  invalid     broken  ~/.agents/skills/broken/SKILL.md",
        '              the file is empty; it should begin with "---", name and description',
        `  untrusted   waiting  ${at("project/.agents/skills/waiting/SKILL.md")}`,
        "  Untrusted ones load once you trust their folder. Look at them first, then:",
        `    skillholm trust ${at("project")}`,
        "",
      ],
    });
  });

  it("lets no path, name or message control the terminal", async () => {
    const { run } = machine({
      "r/evil\u001b[31mred/SKILL.md": "",
      "r/deep/1/2/3/4/5/\u202elast/x/SKILL.md": skill("x"),
      "r/bidi/SKILL.md": skill('"name\u202e-here"'),
    });
    const { stdout, stderr } = await run(["list", "--root", "../r"]);
    const { stderr: error } = await run(["show", "--root", "../r", "name-her"]);
    for (const mark of ["\u001b", "\u202e"]) expect(`${stdout}${stderr}${error}`).not.toContain(mark);
    expect(stdout).toContain("evil\\u001b[31mred");
  });

  it("quotes the path in the command that it suggests", async () => {
    const { at, runJson } = machine({ "my proj/.git/x": "", "my proj/.agents/skills/a/SKILL.md": skill("a") });
    const { json } = await runJson(["list", "--cwd", "../my proj"]);
    const reason = `${at("my proj")} is not trusted yet: skillholm trust '${at("my proj")}'`;
    expect(json).toMatchObject({ hidden: [{ name: "a", reason }] });
  });

  it("says on stderr that there are none yet", async () => {
    const { at, run } = machine({});
    mkdirSync(at("empty"));
    const { status, stdout, stderr } = await run(["list", "--root", "../empty"]);
    expect({ status, stdout, first: stderr.split(".")[0] }).toEqual({ status: 0, stdout: "", first: "No skills here" });
  });
});
