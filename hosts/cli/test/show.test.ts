import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { countTokens } from "@skillholm/core";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const twoOfOneName = {
  "team/one/SKILL.md": skill("one", "The team's."),
  "mine/one/SKILL.md": skill("one", "My own."),
};

function twoRoots(at: (path: string) => string): string[] {
  return ["--root", at("team"), "--root", `${at("mine")}=user`];
}

describe("show --json", () => {
  it("tells a skill's fields with their effects, its files, its cost per tier and its hash", async () => {
    const body = "# PDF\n\nRead references/forms.md first.";
    const text = skill("pdf", "Reads PDF files.\nlicense: MIT\nhooks: { Stop: [echo] }", body);
    const forms = "Forms have fields, and fields have values.\n";
    const icon = "\u0089PNG\0\0\0\0";
    const { at, runJson } = machine({
      "team/pdf/SKILL.md": text,
      "team/pdf/references/forms.md": forms,
      "team/pdf/assets/icon.png": icon,
    });
    const modified = new Date("2026-01-02T03:04:05Z");
    utimesSync(at("team/pdf/SKILL.md"), modified, modified);
    const sums = { "SKILL.md": text, "assets/icon.png": icon, "references/forms.md": forms };
    const digest = Object.entries(sums).map(([path, content]) => `${sha256(content)}  ${path}\n`);
    expect(await runJson(["show", "pdf", "--root", "../team=plugin"])).toEqual({
      status: 0,
      json: {
        name: "pdf",
        description: "Reads PDF files.",
        scope: "plugin",
        path: at("team/pdf/SKILL.md"),
        dir: at("team/pdf"),
        realPath: at("team/pdf/SKILL.md"),
        state: "listed",
        enabled: true,
        shadows: [],
        root: { path: at("team"), scope: "plugin", trusted: true, writable: false },
        hash: sha256(text),
        digest: sha256(digest.join("")),
        modified: "2026-01-02T03:04:05.000Z",
        tokens: {
          catalog: countTokens("<skill>\n<name>pdf</name>\n<description>Reads PDF files.</description>\n</skill>\n"),
          instructions: countTokens(body),
          resources: countTokens(forms),
        },
        files: [
          { path: "SKILL.md", bytes: Buffer.byteLength(text) },
          { path: "assets/icon.png", bytes: Buffer.byteLength(icon) },
          { path: "references/forms.md", bytes: forms.length, tokens: countTokens(forms) },
        ],
        filesTruncated: false,
        fields: [
          { key: "name", value: "pdf", effect: true, note: "names the skill" },
          {
            key: "description",
            value: "Reads PDF files.",
            effect: true,
            note: "tells the model what it does and when to use it",
          },
          { key: "license", value: "MIT", effect: false, note: "shown to people" },
          {
            key: "hooks",
            value: '{"Stop":["echo"]}',
            effect: false,
            note: "another client's field; hooks never run here",
          },
        ],
        openai: null,
        diagnostics: [],
      },
    });
  });

  it("finds a skill by name, by name@scope, and by the path of its folder or file", async () => {
    const { at, runJson } = machine(twoOfOneName);
    const pathOf = async (reference: string, cwd = "project") => {
      const { json } = await runJson(["show", reference, ...twoRoots(at)], { cwd });
      return (json as { path: string }).path;
    };
    const winner = ["one", "one@project", "../team/one", at("team/one/SKILL.md")];
    const loser = ["one@user", "../mine/one/", "../mine/one/SKILL.md", at("mine/one")];
    expect(await Promise.all(winner.map((each) => pathOf(each)))).toEqual(winner.map(() => at("team/one/SKILL.md")));
    expect(await Promise.all(loser.map((each) => pathOf(each)))).toEqual(loser.map(() => at("mine/one/SKILL.md")));
    expect(await pathOf(".", "mine/one")).toBe(at("mine/one/SKILL.md"));
  });

  it("tells who won the name, and whom the winner shadows", async () => {
    const { at, runJson } = machine(twoOfOneName);
    const roots = twoRoots(at);
    const [winner, loser] = await Promise.all([
      runJson(["show", "one", ...roots]),
      runJson(["show", "one@user", ...roots]),
    ]);
    expect([winner.json, loser.json]).toMatchObject([
      { state: "listed", shadows: [at("mine/one/SKILL.md")] },
      {
        state: "shadowed",
        reason: `${at("team/one/SKILL.md")} answers to "one"`,
        winner: at("team/one/SKILL.md"),
        shadows: [],
        diagnostics: [{ code: "name-collision", path: at("mine/one/SKILL.md") }],
      },
    ]);
  });

  it("shows invalid and untrusted skills too, with their state and reason", async () => {
    const { at, runJson } = machine({
      "project/.git/HEAD": "",
      "project/.agents/skills/waiting/SKILL.md": skill("waiting"),
      "home/.agents/skills/broken/SKILL.md": "---\nname: broken\n---\n",
    });
    const [waiting, broken] = await Promise.all([runJson(["show", "waiting"]), runJson(["show", "broken"])]);
    expect([waiting, broken]).toMatchObject([
      {
        status: 0,
        json: {
          description: "About waiting.",
          state: "untrusted",
          reason: `${at("project")} is not trusted yet: skillholm trust ${at("project")}`,
          root: { trusted: false },
        },
      },
      {
        status: 0,
        json: {
          description: "",
          state: "invalid",
          reason: "no description; say what the skill does and when to use it",
          hash: sha256("---\nname: broken\n---\n"),
          files: [{ path: "SKILL.md", bytes: 21 }],
          diagnostics: [{ code: "description-missing", severity: "error" }],
        },
      },
    ]);
  });

  it("tells where a linked skill really is, and finds it there", async () => {
    const { at, runJson } = machine({ "clones/linked/SKILL.md": skill("linked") });
    mkdirSync(at("home/.agents/skills"), { recursive: true });
    symlinkSync(at("clones/linked"), at("home/.agents/skills/linked"));
    const expected = { path: at("home/.agents/skills/linked/SKILL.md"), realPath: at("clones/linked/SKILL.md") };
    const answers = await Promise.all([runJson(["show", "linked"]), runJson(["show", at("clones/linked/SKILL.md")])]);
    expect(answers.map(({ json }) => json)).toMatchObject([expected, expected]);
  });
});

describe("show refuses", () => {
  it("a name that no skill has, with the closest names", async () => {
    const { run, runJson } = machine({
      "team/alpha/SKILL.md": skill("alpha"),
      "team/alpine/SKILL.md": skill("alpine"),
      "team/omega/SKILL.md": skill("omega"),
    });
    const [json, text, nothingNear] = await Promise.all([
      runJson(["show", "alpna", "--root", "../team"]),
      run(["show", "alpna", "--root", "../team"]),
      run(["show", "nothing-like-it", "--root", "../team"]),
    ]);
    const message = 'No skill "alpna". Closest: alpha, alpine.';
    expect(json).toEqual({
      status: 1,
      json: { error: { code: "skill-not-found", message, name: "alpna", closest: ["alpha", "alpine"] } },
    });
    expect(text).toEqual({ status: 1, stdout: "", stderr: `skillholm: ${message}\n` });
    expect(nothingNear).toEqual({
      status: 1,
      stdout: "",
      stderr: 'skillholm: No skill "nothing-like-it". See: skillholm list.\n',
    });
  });

  it("a name that means several skills, with their paths", async () => {
    const { at, runJson } = machine({
      "project/.git/HEAD": "",
      "project/.agents/skills/twin/SKILL.md": skill("twin", "One."),
      "project/sub/.agents/skills/twin/SKILL.md": skill("twin", "Two."),
    });
    const paths = [at("project/.agents/skills/twin/SKILL.md"), at("project/sub/.agents/skills/twin/SKILL.md")];
    expect(await runJson(["show", "twin"], { cwd: "project/sub" })).toEqual({
      status: 1,
      json: {
        error: {
          code: "skill-ambiguous",
          message: `"twin" means 2 skills. Give one of their paths: ${paths.join(", ")}.`,
          name: "twin",
          paths,
        },
      },
    });
  });
});

describe("show for people", () => {
  it("prints the same in words", async () => {
    const text = skill("one", "About one.", "Read notes.md.").replace("---\n\n", "license: MIT\n---\n\n");
    const { run } = machine({
      "home/.agents/skills/one/SKILL.md": text,
      "home/.agents/skills/one/notes.md": "word ".repeat(2000),
      "home/.agents/skills/z/one/SKILL.md": skill("one", "Another one."),
    });
    const tokens = (some: string) => countTokens(some).toLocaleString("en");
    const notes = tokens("word ".repeat(2000));
    const entry = "<skill>\n<name>one</name>\n<description>About one.</description>\n</skill>\n";
    const { status, stdout } = await run(["show", "one"]);
    expect({ status, lines: stdout.trimEnd().split("\n") }).toEqual({
      status: 0,
      lines: [
        "one  user",
        "About one.",
        "",
        "state         listed",
        "path          ~/.agents/skills/one/SKILL.md",
        "shadows       ~/.agents/skills/z/one/SKILL.md",
        `tokens        ${tokens(entry)} in every chat, ${tokens("Read notes.md.")} when used, ${notes} in files`,
        `sha256        ${sha256(text)}`,
        "",
        "Fields",
        "  ✓ name: one (has an effect: names the skill)",
        "  ✓ description: About one. (has an effect: tells the model what it does and when to use it)",
        "  · license: MIT (no effect: shown to people)",
        "",
        "2 files",
        `  SKILL.md  ${text.length} bytes`,
        `  notes.md  10,000 bytes, ${notes} tokens`,
      ],
    });
  });

  it("prints the state with its reason, and each diagnostic with its place", async () => {
    const { run } = machine({ "home/.agents/skills/broken/SKILL.md": "words\n" });
    const reason = 'the file does not begin with a "---" line, so it has no name and description';
    const { status, stdout } = await run(["show", "broken"]);
    expect(status).toBe(0);
    expect(stdout).toContain(`\nstate         invalid: ${reason}\n`);
    expect(stdout).toContain(`\nerror line 1:1 ${reason} (frontmatter-missing)\n`);
  });
});
