import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const machines = createMachines();

interface Listed {
  readonly skills: readonly { readonly name: string; readonly path: string; readonly origin?: string }[];
  readonly hidden: readonly { readonly name: string; readonly state: string; readonly reason: string }[];
  readonly diagnostics: readonly { readonly path: string; readonly message: string }[];
}

/** A machine that serves skills, and one that takes them. */
async function open(ours: Readonly<Record<string, string>> = {}) {
  const theirs = machines({
    "home/.agents/skills/brew-tea/SKILL.md": skill("brew-tea", "Their tea.", "Boil their water."),
    "home/.agents/skills/brew-tea/references/leaves.md": "Green.\n",
  });
  const running = await theirs.start(["mcp", "--http", "0", "--json", "--key"]);
  const { address, token } = JSON.parse(running.line);
  const config = `[[mcp.servers]]\nname = "team"\nurl = "${address}"\ntoken_env = "TEAM_TOKEN"\n`;
  const machine = machines({ "home/.config/skillholm/config.toml": config, ...ours });
  const env = { TEAM_TOKEN: token };
  const list = async (): Promise<Listed> => (await machine.runJson(["list"], { env })).json as Listed;
  return { theirs, running, address, machine, env, list };
}

function teamOf({ skills }: Listed) {
  return skills.filter(({ origin }) => origin !== undefined);
}

async function approve(machine: Machine, env: Readonly<Record<string, string>>): Promise<void> {
  const { stdout } = await machine.run(["trust", "mcp://team", "--yes"], { env });
  expect(stdout).toMatch(/^Approved: \d skills of mcp:\/\/team\.$/m);
}

describe("the skills of other MCP servers", () => {
  it("wait until a person approves them, then are shown with their origin, and load", async () => {
    const { machine, env, list, address } = await open();
    const before = await list();
    expect(teamOf(before)).toEqual([]);
    expect(before.hidden.find(({ name }) => name === "brew-tea")).toMatchObject({
      state: "untrusted",
      reason: `it comes from ${address}, and nobody has approved it yet: skillholm trust mcp://team`,
    });
    await approve(machine, env);
    const tea = { name: "brew-tea", path: "mcp://team/brew-tea/SKILL.md", origin: address };
    expect(teamOf(await list())).toContainEqual(expect.objectContaining(tea));
    const { stdout } = await machine.run(["load", "brew-tea"], { env });
    expect(stdout).toContain("Boil their water.");
    const read = await machine.run(["read", "brew-tea", "references/leaves.md"], { env });
    expect(read.stdout.trim()).toBe("Green.");
  });

  it("wait again when one of their files is another one", async () => {
    const { machine, env, list, theirs } = await open();
    await approve(machine, env);
    writeFileSync(theirs.at("home/.agents/skills/brew-tea/references/leaves.md"), "Black.\n");
    const { hidden } = await list();
    expect(hidden.find(({ name }) => name === "brew-tea")).toMatchObject({
      state: "untrusted",
      reason: expect.stringContaining("it has changed since you trusted it: references/leaves.md"),
    });
  });

  it("never take the name of a local skill", async () => {
    const { machine, env } = await open({ "home/.agents/skills/brew-tea/SKILL.md": skill("brew-tea", "Our tea.") });
    await approve(machine, env);
    const { json } = await machine.runJson(["show", "brew-tea"], { env });
    expect(json).toMatchObject({ description: "Our tea." });
  });

  it("are missing with a reason where their server does not answer, and the others stay", async () => {
    const { running, list } = await open({ "home/.agents/skills/own/SKILL.md": skill("own") });
    await running.end();
    const { skills, diagnostics } = await list();
    expect(skills.map(({ name }) => name)).toContain("own");
    const message = expect.stringContaining("its skills cannot be listed");
    expect(diagnostics).toContainEqual(expect.objectContaining({ path: "mcp://team", message }));
  });

  it("are named by a person, never by a project", async () => {
    const servers = '[[mcp.servers]]\nname = "evil"\nurl = "http://127.0.0.1:9/mcp"\n';
    const machine = machines({ "project/.git/HEAD": "", "project/skillholm.toml": servers });
    await machine.run(["trust", "--yes"]);
    const { json } = await machine.runJson(["config"]);
    expect(json).toMatchObject({
      servers: [],
      ignored: [{ key: "mcp.servers", reason: "a project's file may name no servers" }],
    });
    expect(await machine.run(["trust", "mcp://evil", "--yes"])).toMatchObject({ status: 2 });
  });
});
