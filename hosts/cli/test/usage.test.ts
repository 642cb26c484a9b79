import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();

describe("wrong usage", () => {
  const { at, run, runJson } = machine({ "project/skills/one/SKILL.md": skill("one") });
  const scopes = "Known: project, user, plugin, system.";
  const help = "\nSee: skillholm --help";

  it.each([
    ["an unknown scope", ["list", "--root", "skills=usr"], `--root: "usr" is no scope. ${scopes} Did you mean "user"?`],
    [
      "a root that is not there",
      ["list", "--root", "missing=user"],
      `--root: there is no folder ${at("project/missing")}`,
    ],
    [
      "a file as a root",
      ["list", "--root", "skills/one/SKILL.md"],
      `--root: there is no folder ${at("project/skills/one/SKILL.md")}`,
    ],
    [
      "a working directory that is not there",
      ["list", "--cwd", "gone"],
      `--cwd: there is no folder ${at("project/gone")}`,
    ],
    [
      "an unknown profile",
      ["list", "--profile", "nosuch"],
      expect.stringMatching(/^There is no profile "nosuch"\. Known: standard/),
    ],
    ["an unknown option", ["list", "--no-colour"], `unknown option '--no-colour'\n(Did you mean --no-color?)${help}`],
    ["an option without its value", ["list", "--root"], expect.stringContaining("--root")],
    ["a missing argument", ["show"], `missing required argument 'name'${help}`],
    ["an argument too many", ["list", "one"], expect.stringMatching(/^too many arguments for 'list'\..*: one\.\n/)],
    ["an unknown command", ["lits"], 'There is no command "lits". Did you mean "list"?'],
  ])("of %s is a JSON error on stdout and exit status 2", async (_, args, message) => {
    // First, so that an option without a value stays without one.
    const { status, stdout } = await run(["--json", ...args]);
    expect({ status, json: JSON.parse(stdout) }).toEqual({
      status: 2,
      json: { error: { code: "invalid-input", message } },
    });
  });

  it("is a plain sentence on stderr for people, without a stack trace", async () => {
    expect(await run(["list", "--root", "missing"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `skillholm: --root: there is no folder ${at("project/missing")}\n`,
    });
  });

  it("shows where it came from with --debug, on stderr, and leaves the JSON whole", async () => {
    const { stdout, stderr } = await run(["show", "nosuch", "--debug", "--json", "--root", "skills"]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "skill-not-found" } });
    expect(stderr).toMatch(/^SkillError: No skill "nosuch"\..*\n +at /);
    expect(await runJson(["list", "--debug", "--root", "skills"])).toMatchObject({ status: 0 });
  });
});

describe("the command", () => {
  it("greets with the skills it brings and what to try next", async () => {
    const { status, stdout, stderr } = await machine({}).run([]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Skillholm, the Agent Skills runtime\n/);
    expect(stdout).toMatch(/^write-a-skill +system +Guides /m);
    expect(stdout).toContain("\n0 skills of your own yet; 0 skills not listed.\n");
    expect(stdout).toMatch(/^ {2}npx skillholm list +every skill on this machine/m);
  });

  it("explains itself on stdout with --help, and tells its version", async () => {
    const { run } = machine({});
    const [help, ofTrust, version] = await Promise.all([run(["--help"]), run(["trust", "--help"]), run(["--version"])]);
    expect(help).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: skillholm /), stderr: "" });
    for (const command of ["list", "show", "trust", "compat"]) expect(help.stdout).toContain(`\n  ${command} `);
    expect(ofTrust).toMatchObject({ status: 0, stdout: expect.stringContaining("--revoke"), stderr: "" });
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(version).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  it("says which Node it needs when it runs on an older one, and where one lies", async () => {
    const own = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));
    const older = (version: string) => [
      "--import",
      `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`,
    ];
    const { run } = machine({});
    const runs = ["20.1.0", "22.17.9", "22.18.0"].map((version) => run(["--version"], { node: older(version) }));
    const [old, almost, enough] = await Promise.all(runs);
    expect(old).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("needs Node 22.18 or newer") });
    expect(old?.stderr.trimEnd().endsWith(`: ${own}`)).toBe(true);
    expect(almost).toEqual(old);
    expect(enough).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("what is printed", () => {
  it("has nothing in it that controls a terminal, whatever a skill says", async () => {
    const { run } = machine({
      "team/sly/SKILL.md": skill(
        "sly",
        '"red \\e[31m bell \\a left \\u202Eright\\u2069\\u200F del \\x7F c1 \\x9B end"',
      ),
      "team/sly/\u001b[2Jfile.md": "x",
      "team/\u001b[31mfolder/SKILL.md": "",
    });
    const escaped = "red \\u001b[31m bell \\u0007 left \\u202eright\\u2069\\u200f del \\u007f c1 \\u009b end";
    const [list, show] = await Promise.all([
      run(["list", "--root", "../team"]),
      run(["show", "sly", "--root", "../team"]),
    ]);
    expect(list.stdout.split("\n")[0]).toBe(`sly  project  ${escaped}`);
    expect(list.stdout).toContain("\n  invalid     \\u001b[31mfolder  ");
    expect(show.stdout.split("\n")[1]).toBe(escaped);
    expect(show.stdout).toContain("\n  \\u001b[2Jfile.md  ");
    expect(show.stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u200f\u202e\u2069]/u);
  });

  it("has no colours when it goes into a pipe", async () => {
    const { run } = machine({ "home/.agents/skills/broken/SKILL.md": "" });
    const outputs = await Promise.all([[], ["list"], ["show", "broken"], ["compat"]].map((args) => run(args)));
    expect(outputs.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes("\u001b"))).toEqual([]);
  });

  it.each([
    ["list"],
    ["show write-a-skill"],
    ["ask tea"],
    ["list --json"],
    ["show write-a-skill --json"],
    ["ask tea --json"],
  ])("ends %s with a failure when it cannot be written", async (args) => {
    const { status, stderr } = await machine({}).run(args.split(" "), { stdout: "full" });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^skillholm: cannot write the output/),
    });
  });

  it("may be cut off by a reader that has seen enough", async () => {
    const long = "word ".repeat(190);
    const files = Array.from({ length: 600 }, (_, at) => [`team/s${at}/SKILL.md`, skill(`s${at}`, long)]);
    const { run } = machine(Object.fromEntries(files));
    const [text, json] = await Promise.all([
      run(["list", "--root", "../team"], { stdout: "closed" }),
      run(["list", "--root", "../team", "--json"], { stdout: "closed" }),
    ]);
    expect([text, json]).toMatchObject([
      { status: 0, stdout: expect.stringMatching(/^s0 /), stderr: "" },
      { status: 0, stdout: expect.stringMatching(/^\{/), stderr: "" },
    ]);
    expect(text?.stdout.length).toBeLessThan(600 * long.length);
  });
});
