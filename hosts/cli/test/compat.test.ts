import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const machine = createMachines();
const agents = ["claude", "codex", "gemini", "opencode", "cursor", "copilot"];

async function elsewhere({ runJson }: Machine): Promise<unknown> {
  const { json } = await runJson(["list"]);
  return (json as { elsewhere: unknown }).elsewhere;
}

/** `name scope state` of every skill that did not come with the program. */
async function rows({ runJson }: Machine): Promise<string[]> {
  const { json } = await runJson(["list"]);
  const { skills, hidden } = json as Record<"skills" | "hidden", { name: string; scope: string; state?: string }[]>;
  return [...skills, ...hidden]
    .filter((row) => row.scope !== "system")
    .map((row) => `${row.name} ${row.scope} ${row.state ?? "listed"}`);
}

describe("other agents' folders", () => {
  it("are counted, each with the command that switches it on", async () => {
    const { at, run, runJson } = machine({
      "home/.claude/skills/one/SKILL.md": skill("one"),
      "home/.claude/skills/deeper/two/SKILL.md": skill("two"),
      "home/.cursor/skills/notes.md": "no skill",
    });
    const { status, stdout } = await run(["list"]);
    expect({ status, last: stdout.trim().split("\n").at(-1) }).toEqual({
      status: 0,
      last: "2 more in ~/.claude/skills: skillholm compat on claude",
    });
    expect(await runJson(["compat"])).toEqual({
      status: 0,
      json: {
        on: [],
        off: agents,
        elsewhere: [{ agent: "claude", path: at("home/.claude/skills"), scope: "user", count: 2 }],
      },
    });
  });

  it("of all six agents are known, in the home folder and in the project", async () => {
    const folders = {
      "project/.claude/skills": "claude project",
      "project/.codex/skills": "codex project",
      "project/.gemini/skills": "gemini project",
      "project/.opencode/skills": "opencode project",
      "project/.opencode/skill": "opencode project",
      "project/.cursor/skills": "cursor project",
      "project/.github/skills": "copilot project",
      "home/.claude/skills": "claude user",
      "home/.codex/skills": "codex user",
      "home/.codex/skills/.system": "codex user",
      "home/.gemini/skills": "gemini user",
      "home/.config/opencode/skills": "opencode user",
      "home/.config/opencode/skill": "opencode user",
      "home/.cursor/skills": "cursor user",
      "home/.copilot/skills": "copilot user",
    };
    const files = Object.keys(folders).map((folder) => [`${folder}/some/SKILL.md`, skill("some")]);
    const place = machine(Object.fromEntries(files));
    expect(await elsewhere(place)).toEqual(
      Object.entries(folders).map(([folder, owner]) => {
        const [agent, scope] = owner.split(" ");
        return { agent, path: place.at(folder), scope, count: 1 };
      }),
    );
  });

  it("do not count twice what they link from the user's own folder or from each other", async () => {
    const place = machine({
      "home/.agents/skills/own/SKILL.md": skill("own"),
      "home/.claude/skills/theirs/SKILL.md": skill("theirs"),
    });
    const { at } = place;
    symlinkSync("../../.agents/skills/own", at("home/.claude/skills/own"));
    mkdirSync(at("home/.cursor/skills"), { recursive: true });
    symlinkSync("../../.claude/skills/theirs", at("home/.cursor/skills/theirs"));
    mkdirSync(at("home/.gemini"));
    symlinkSync("../.agents/skills", at("home/.gemini/skills"));
    expect(await elsewhere(place)).toEqual([
      { agent: "claude", path: at("home/.claude/skills"), scope: "user", count: 1 },
    ]);
  });
});

describe("compat", () => {
  it("lists an agent's skills from on to off", async () => {
    const place = machine({
      "home/.agents/skills/own/SKILL.md": skill("own"),
      "home/.claude/skills/theirs/SKILL.md": skill("theirs"),
    });
    symlinkSync("../../.agents/skills/own", place.at("home/.claude/skills/own"));
    expect(await place.run(["compat", "on", "claude"])).toEqual({
      status: 0,
      stdout: [
        "claude    on",
        "codex     off",
        "gemini    off",
        "opencode  off",
        "cursor    off",
        "copilot   off",
        "",
      ].join("\n"),
      stderr: "",
    });
    expect([await rows(place), await elsewhere(place)]).toEqual([["own user listed", "theirs user listed"], []]);
    expect(await place.run(["compat", "off", "claude"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^claude {4}off {2}1 in ~\/\.claude\/skills\n/),
    });
    expect(await rows(place)).toEqual(["own user listed"]);
  });

  it("does not lift the wait for trust of a project's own folders", async () => {
    const place = machine({ "project/.git/HEAD": "", "project/.claude/skills/theirs/SKILL.md": skill("theirs") });
    await place.run(["compat", "on", "claude"]);
    expect(await rows(place)).toEqual(["theirs project untrusted"]);
    await place.run(["trust", "--yes"]);
    expect(await rows(place)).toEqual(["theirs project listed"]);
  });

  it("takes several agents at once, and loses none when several processes switch at the same time", async () => {
    const { run, runJson } = machine({});
    await Promise.all([
      run(["compat", "on", "gemini", "claude"]),
      run(["compat", "on", "codex"]),
      run(["compat", "on", "cursor"]),
    ]);
    expect(await runJson(["compat", "off", "gemini"])).toEqual({
      status: 0,
      json: { on: ["claude", "codex", "cursor"], off: ["gemini", "opencode", "copilot"], elsewhere: [] },
    });
  });

  it("refuses what it does not know, suggests what was meant, and changes nothing", async () => {
    const { run, runJson } = machine({});
    const known = `Known: ${agents.join(", ")}.`;
    const wrong = [
      { args: ["on", "codex", "cluade"], message: `There is no agent "cluade". ${known} Did you mean "claude"?` },
      { args: ["off", "emacs"], message: `There is no agent "emacs". ${known}` },
      { args: ["on"], message: `Which agent? ${known}` },
      { args: ["maybe", "codex"], message: '"maybe" should be "on" or "off".' },
    ];
    const answers = await Promise.all(wrong.map(({ args }) => runJson(["compat", ...args])));
    expect(answers).toEqual(
      wrong.map(({ message }) => ({ status: 2, json: { error: { code: "invalid-input", message } } })),
    );
    expect(await run(["compat", "on", "claud"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `skillholm: There is no agent "claud". ${known} Did you mean "claude"?\n`,
    });
    expect(await runJson(["compat"])).toMatchObject({ json: { on: [] } });
  });
});
