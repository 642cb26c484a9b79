import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { createEngine } from "../src/index.ts";

function layMachine() {
  const base = layTree({
    "home/.agents/skills/mine/SKILL.md": skillText("mine"),
    "home/.claude/skills/mine": { link: "../../.agents/skills/mine" },
    "home/.claude/skills/theirs/SKILL.md": skillText("theirs"),
    "work/.git/HEAD": "",
    "work/.agents/skills/ours/SKILL.md": skillText("ours"),
    "work/sub/x.txt": "",
  });
  const env = { HOME: join(base, "home"), XDG_STATE_HOME: join(base, "state") };
  return { base, open: () => createEngine({ cwd: join(base, "work/sub"), env }) };
}

async function ownNames(engine: ReturnType<typeof createEngine>): Promise<readonly string[]> {
  const { catalog } = await engine.skills();
  return catalog.skills.filter((skill) => skill.scope !== "system").map((skill) => skill.name);
}

describe("the engine", () => {
  it("loads a project's skills once the project is trusted, also for the next one that is opened", async () => {
    const { base, open } = layMachine();
    const engine = open();
    expect(engine.project).toBe(join(base, "work"));
    expect(await ownNames(engine)).toEqual(["mine"]);
    await engine.trust.add(engine.project);
    expect(await ownNames(open())).toEqual(["ours", "mine"]);
  });

  it("counts what lies in other agents' folders, and reads them once they are switched on", async () => {
    const { base, open } = layMachine();
    const path = join(base, "home/.claude/skills");
    expect(await open().elsewhere()).toEqual([{ agent: "claude", path, scope: "user", count: 1 }]);
    await open().compat.set("claude", "on");
    expect(await ownNames(open())).toEqual(["mine", "theirs"]);
    expect(await open().elsewhere()).toEqual([]);
  });

  it("lists the skills even when what it remembers cannot be read, and says so", async () => {
    const { base, open } = layMachine();
    await open().trust.add(join(base, "work"));
    writeFileSync(join(base, "state/skillholm/trust.json"), "{ broken");
    const engine = open();
    expect(await ownNames(engine)).toEqual(["mine"]);
    expect(engine.problems).toMatchObject([{ code: "state-unreadable", severity: "warning" }]);
    await expect(engine.trust.add(base)).rejects.toThrow("Mend it, or delete it");
  });

  it("takes the roots that it is given for all there are", async () => {
    const { base } = layMachine();
    const root = { path: join(base, "work/.agents/skills"), scope: "user", trusted: true, writable: true } as const;
    const engine = createEngine({ cwd: base, env: { HOME: base }, roots: [{ ...root, links: "anywhere" }] });
    expect(await ownNames(engine)).toEqual(["ours"]);
    expect(await engine.elsewhere()).toEqual([]);
  });
});
