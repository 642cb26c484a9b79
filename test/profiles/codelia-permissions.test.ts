import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";
import { callAll, type Loaded, load } from "./codelia-support.ts";

const machine = createMachines();
const repo = "project/.agents/skills";

const on = machine({
  "project/.git/HEAD": "",
  [`${repo}/x/SKILL.md`]: skill("x"),
  [`${repo}/y/SKILL.md`]: skill("y"),
  [`${repo}/x-files/SKILL.md`]: skill("x-files"),
});

function rule(kind: string, name?: string): string {
  return `[[permissions.${kind}]]\ntool = "skill_load"\n${name === undefined ? "" : `skill_name = "${name}"\n`}`;
}

let files = 0;

/** What becomes of loads under some rules, where nobody can be asked. */
async function outcomes(rules: string, ...inputs: object[]): Promise<readonly string[]> {
  const config = `rules-${++files}.toml`;
  layEntries(on.at(""), { [config]: rules });
  const loaded = await callAll<Loaded>(on, "skill_load", inputs, {}, ["--config", on.at(config)]);
  return loaded.map(({ ok, error }) => {
    if (ok) return "allowed";
    if (error?.includes("needs a person's yes")) return "confirm";
    return error?.includes("is denied by a rule") ? "denied" : (error ?? "");
  });
}

function answersOf(on: Machine): unknown {
  return JSON.parse(readFileSync(on.at("state/skillholm/permissions.json"), "utf8"));
}

describe("codelia: who may load", () => {
  it("S1-80, S1-115 blocks or lets through one skill by its name, whatever it is called by", async () => {
    const path = on.at(`${repo}/x/SKILL.md`);
    const relative = "./.agents/skills/x/SKILL.md";
    const inputs = [{ name: "x" }, { path }, { name: "y", path: relative }, { name: "x@project" }, { name: "y" }];
    const [denied, allowed] = await Promise.all([
      outcomes(rule("deny", "x"), ...inputs),
      outcomes(rule("allow", "x"), ...inputs),
    ]);
    expect(denied).toEqual(["denied", "denied", "denied", "denied", "confirm"]);
    expect(allowed).toEqual(["allowed", "allowed", "allowed", "allowed", "confirm"]);
    const refused = await load(on, { name: "x" }, ["--config", on.at("rules-1.toml"), "--yes"]);
    expect(refused).toEqual({
      status: 1,
      loaded: {
        ok: false,
        error: 'skill_load of "x" is denied by a rule.',
        ambiguous_paths: [],
        already_loaded: false,
        skill: null,
        content: null,
        files: [],
        files_truncated: false,
      },
    });
  });

  it("S1-81 takes a name to the letter, and refuses a rule whose name cannot be one", async () => {
    expect(await outcomes(rule("deny", "x"), { name: "x-files" }, { name: "X" })).toEqual([
      "confirm",
      expect.stringContaining('No skill "X"'),
    ]);
    for (const name of ["X", "x*", "*", "", " ", "x ", "a--b", "-x", "x_y", "x".repeat(65), "größe"]) {
      layEntries(on.at(""), { "wrong.toml": rule("allow", name) });
      const { status, stdout, stderr } = await on.run([
        "tool",
        "skill_load",
        '{"name":"x"}',
        "--profile",
        "codelia",
        "--config",
        on.at("wrong.toml"),
      ]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toContain(`wrong.toml:1: the rule's skill_name is ${JSON.stringify(name)}`);
    }
    layEntries(on.at(""), { "wrong.toml": '[[permissions.allow]]\ntool = "skill_load"\nskill_nam = "x"\n' });
    const slip = await on.run(["list", "--profile", "codelia", "--config", on.at("wrong.toml")]);
    expect(slip).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean "skill_name"?') });
  });

  it("S1-82, S1-83 lets deny go before allow and allow before asking, for the tool as for the skill", async () => {
    const kinds = ["deny", "allow", "ask"];
    const verdict = (decided: readonly string[]) =>
      decided.includes("deny") ? "denied" : decided.includes("allow") ? "allowed" : "confirm";
    for (const whole of kinds) {
      for (const own of kinds) {
        // The order in which rules stand says nothing; the other skill hears of the whole tool's rule only.
        const found = await outcomes(rule(own, "x") + rule(whole), { name: "x" }, { name: "y" });
        expect(found).toEqual([verdict([whole, own]), verdict([whole])]);
      }
    }
    expect(await outcomes("", { name: "x" })).toEqual(["confirm"]);
    // A yes is heard where it is asked for, and nowhere else.
    layEntries(on.at(""), { "ask.toml": rule("ask"), "deny.toml": rule("deny") });
    expect((await load(on, { name: "x" }, ["--yes", "--config", on.at("ask.toml")])).loaded.ok).toBe(true);
    expect((await load(on, { name: "x" }, ["--yes", "--config", on.at("deny.toml")])).loaded.ok).toBe(false);
  });

  it("S1-84 remembers an answer once, for the one skill", async () => {
    const own = machine({ [`${repo}/x/SKILL.md`]: skill("x"), [`${repo}/y/SKILL.md`]: skill("y") });
    expect((await load(own, { name: "x" }, [])).loaded.error).toBe(
      `skill_load of "x" needs a person's yes, and nobody can be asked here.`,
    );
    await load(own, { name: "x" }, ["--yes", "--remember", "always"]);
    await load(own, { path: own.at(`${repo}/x/SKILL.md`) }, ["--yes", "--remember", "always"]);
    expect(answersOf(own)).toEqual({ allow: [{ tool: "skill_load", skill_name: "x" }], deny: [] });
    expect((await load(own, { name: "x" }, [])).loaded.ok).toBe(true);
    expect((await load(own, { name: "y" }, [])).loaded.ok).toBe(false);
    const session = ["--session", own.at("session.json")];
    await load(own, { name: "y" }, ["--yes", "--remember", "session", ...session]);
    expect((await load(own, { name: "y" }, session)).loaded.ok).toBe(true);
    expect(answersOf(own)).toEqual({ allow: [{ tool: "skill_load", skill_name: "x" }], deny: [] });
  });
});
