import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const layMachine = createMachines();

async function names({ runJson }: Machine, args: readonly string[], cwd = "project") {
  const { json } = await runJson(["list", ...args], { cwd });
  return (json as { skills: { name: string; scope: string }[] }).skills.flatMap(({ name, scope }) =>
    scope === "system" ? [] : [name],
  );
}

const app = (more = "") => `[other]\nkey = 1\n[app.skills]\nenabled = true\n${more}`;

describe("a profile that a person chooses", () => {
  it("has no trust step, and reads its own file with whatever folders that names", async () => {
    const machine = layMachine({
      "project/.git/HEAD": "",
      "project/config.toml": app('directories = ["./mine", "~/notes", "./mine"]\n'),
      "project/mine/a/SKILL.md": skill("a"),
      "home/notes/b/SKILL.md": skill("b"),
    });
    expect(await names(machine, ["--profile", "remcochat"])).toEqual(["a", "b"]);
    const { json } = await machine.runJson(["config", "--profile", "remcochat"]);
    expect((json as { roots: object[] }).roots).toHaveLength(2);
  });

  it("is wrong usage with a wrong key, and by the line", async () => {
    const machine = layMachine({ "project/config.toml": app("max_skils = 3\n") });
    const { status, stderr } = await machine.run(["list", "--profile", "remcochat"]);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean "max_skills"?'),
    });
  });

  it("says so where a file of another profile is named", async () => {
    const machine = layMachine({ "project/config.toml": app() });
    const { status, stderr } = await machine.run(["list", "--config", "config.toml"]);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("--profile remcochat") });
  });
});

describe("a profile that a project chooses", () => {
  const chosen = {
    "project/.git/HEAD": "",
    "project/.agents/skills/outer/SKILL.md": skill("outer"),
    "project/sub/.agents/skills/inner/SKILL.md": skill("inner"),
    "project/sub/skillholm.toml": 'profile = "codelia"\n',
  };

  it("counts once its folder is trusted, and trusts no other folder", async () => {
    const machine = layMachine(chosen);
    const profile = async () => {
      const { json } = await machine.runJson(["config"], { cwd: "project/sub" });
      return (json as { values: { profile: { value: string } } }).values.profile.value;
    };
    expect(await profile()).toBe("standard");
    await machine.run(["trust", machine.at("project/sub"), "--yes"]);
    expect(await profile()).toBe("codelia");
    expect(await names(machine, [], "project/sub")).toEqual(["inner"]);
  });

  it("keeps its own file to the project", async () => {
    const machine = layMachine({
      "project/.git/HEAD": "",
      "project/skillholm.toml": 'profile = "remcochat"\n',
      "project/config.toml": app('directories = ["./mine", "~/notes"]\n'),
      "project/mine/a/SKILL.md": skill("a"),
      "home/notes/b/SKILL.md": skill("b"),
    });
    await machine.run(["trust", machine.at("project"), "--yes"]);
    expect(await names(machine, [])).toEqual(["a"]);
  });

  it("is not what the user's own file says otherwise", async () => {
    const machine = layMachine({
      ...chosen,
      "home/.config/skillholm/config.toml": 'profile = "codelia"\n',
      "project/skillholm.toml": 'profile = "smallebot"\n',
    });
    const { json } = await machine.runJson(["config"]);
    expect((json as { values: { profile: { value: string } } }).values.profile.value).toBe("codelia");
  });

  it("has no file that leads out of the project", async () => {
    const machine = layMachine({ "project/.git/HEAD": "", "elsewhere.toml": app() });
    symlinkSync(machine.at("elsewhere.toml"), machine.at("project/config.toml"));
    const { status, stderr } = await machine.run(["list", "--profile", "remcochat"]);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("leads out of the project"),
    });
  });
});

describe("JSON-RPC", () => {
  it("goes by the rules and the skills as they are at each call", async () => {
    const machine = layMachine({ "home/.agents/skills/a/SKILL.md": skill("a", "A.", "BODY") });
    const call = (id: number) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools.call",
        params: { name: "activate_skill", input: { name: "a" } },
      });
    const { stdout } = await machine.run(["rpc"], { stdin: `${call(1)}\n${call(2)}\n` });
    // Nobody can show the messages, so that the body comes every time.
    for (const line of stdout.trim().split("\n")) expect(JSON.parse(line).result.content).toContain("BODY");
  });
});
