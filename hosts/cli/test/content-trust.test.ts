import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const machine = createMachines();
const good = "Does a thing. Use when asked.";

function layMachine(): Machine {
  return machine({
    "home/.config/skillholm/config.toml": '[skills]\ntrust = "content"\n',
    "home/.agents/skills/mine/SKILL.md": skill("mine", good),
    "project/.git/HEAD": "",
    "project/.agents/skills/ours/SKILL.md": skill("ours", good, "One.\nTwo."),
    "project/.agents/skills/ours/scripts/run.sh": "echo one\n",
    "project/.agents/skills/other/SKILL.md": skill("other", good),
  });
}

interface Listed {
  readonly skills: readonly { name: string; scope: string }[];
  readonly hidden: readonly { name: string; state: string; reason: string }[];
}

async function states({ runJson }: Machine): Promise<Record<string, string>> {
  const { json } = await runJson(["list"]);
  const { skills, hidden } = json as Listed;
  const own = skills.filter(({ scope }) => scope !== "system");
  return Object.fromEntries([
    ...own.map(({ name }) => [name, "listed"]),
    ...hidden.map(({ name, state, reason }) => [name, `${state}: ${reason.replace(/: skillholm trust .*/, "")}`]),
  ]);
}

describe("trust = content", () => {
  it("holds a skill back again when any of its files changes, and shows the difference", async () => {
    const home = layMachine();
    expect((await home.run(["trust", "--yes"])).status).toBe(0);
    expect(await states(home)).toEqual({ mine: "listed", ours: "listed", other: "listed" });

    writeFileSync(home.at("project/.agents/skills/ours/scripts/run.sh"), "echo two\n");
    writeFileSync(home.at("project/.agents/skills/ours/new.txt"), "hello\n");
    writeFileSync(home.at("home/.agents/skills/mine/SKILL.md"), skill("mine", good, "Mine to change."));
    expect(await states(home)).toEqual({
      mine: "listed",
      other: "listed",
      ours: "untrusted: it has changed since you trusted it: new.txt (new), scripts/run.sh",
    });
    const { stderr, status } = await home.run(["trust", "--yes"]);
    expect(status).toBe(0);
    expect(stderr.split("\n").map((line) => line.trim())).toEqual(
      expect.arrayContaining(["ours:", "new.txt is new", "scripts/run.sh is changed", "-echo one", "+echo two"]),
    );
    expect(await states(home)).toEqual({ mine: "listed", ours: "listed", other: "listed" });
    rmSync(home.at("project/.agents/skills/ours/new.txt"));
    expect((await states(home)).ours).toBe("untrusted: it has changed since you trusted it: new.txt (gone)");
  });

  it("holds a skill back that came after the folder was trusted", async () => {
    const home = layMachine();
    await home.run(["trust", "--yes"]);
    writeFileSync(home.at("project/.agents/skills/other/SKILL.md"), skill("another", good));
    expect((await states(home)).another).toContain("it has changed since you trusted it");
    const strict = await home.runJson(["show", "another"]);
    expect(strict.json).toMatchObject({ state: "untrusted" });
  });

  it("keeps what a person asked us to mend, and what was already held back held back", async () => {
    const home = layMachine();
    const broken = "---\nname: ours\ndescription: Use when: asked\n---\n\nOne.\n";
    writeFileSync(home.at("project/.agents/skills/ours/SKILL.md"), broken);
    await home.run(["trust", "--yes"]);
    await home.run(["validate", "--fix", ".agents/skills/ours"]);
    expect((await states(home)).ours).toBe("listed");
    writeFileSync(home.at("project/.agents/skills/ours/SKILL.md"), broken.replace("One", "Evil"));
    await home.run(["validate", "--fix", ".agents/skills/ours"]);
    expect((await states(home)).ours).toContain("untrusted");
  });

  it("is not asked for by default, and cannot be loosened by a project", async () => {
    const home = layMachine();
    writeFileSync(home.at("project/skillholm.toml"), '[skills]\ntrust = "folder"\n');
    await home.run(["trust", "--yes"]);
    writeFileSync(home.at("project/.agents/skills/ours/SKILL.md"), skill("ours", good, "Other."));
    expect((await states(home)).ours).toContain("untrusted");
    rmSync(home.at("home/.config/skillholm/config.toml"));
    expect((await states(home)).ours).toBe("listed");
  });
});
