import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { layTree } from "../../../test/support/tree.ts";
import { asksForScript } from "../src/allowed-tools.ts";
import {
  openSkills,
  type PermissionRequest,
  type Permissions,
  type Root,
  type Runner,
  type ScriptOutcome,
  type ScriptRequest,
} from "../src/index.ts";
import { Toolsets } from "../src/toolsets.ts";

const files = {
  "demo/SKILL.md": "---\nname: demo\ndescription: Runs. Use when asked.\n---\n\nDo it.\n",
  "demo/scripts/a.sh": "echo hi\n",
};
const interpreter = { name: "sh", path: "/bin/sh", args: [] };
const good: ScriptOutcome = {
  ...{ exitCode: 0, signal: null, stdout: "hi\n", stderr: "", truncated: false, durationMs: 5, timedOut: false },
  ...{ sandbox: "bubblewrap", files: [{ path: "out.txt", content: new TextEncoder().encode("left") }] },
};

/** A runner that runs nothing, and says what it was asked for. */
function fakeRunner(outcome: Partial<ScriptOutcome> = {}) {
  const requests: ScriptRequest[] = [];
  const runner: Runner = {
    check: async () => ({ sandbox: "bubblewrap" }),
    interpreterOf: () => interpreter,
    toolsetHost: () => interpreter,
    run: async (request) => {
      requests.push(request);
      return { ...good, ...outcome };
    },
  };
  return { runner, requests };
}

async function openWith(permissions: Partial<Permissions> = {}) {
  const { runner, requests } = fakeRunner();
  const skills = await memorySkills(files);
  return { skills, requests, session: skills.session({ runner, permissions: { rules: [], ...permissions } }) };
}

describe("session.run", () => {
  it("is not there without a runner", async () => {
    expect((await memorySkills(files)).session().run).toBeUndefined();
  });

  it("shows a person all that matters, and refuses where nobody can be asked", async () => {
    const seen: PermissionRequest[] = [];
    const { session, requests, skills } = await openWith({
      ask: async (request) => {
        seen.push(request);
        return true;
      },
    });
    await session.run?.("demo", "scripts/a.sh", { args: ["x"], grants: ["network"] });
    const digest = await skills.digest(skills.find("demo"));
    expect(seen.map(({ tool, script }) => ({ tool, script }))).toEqual([
      {
        tool: "run_skill_script",
        script: {
          script: "scripts/a.sh",
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          digest,
          args: ["x"],
          interpreter: "/bin/sh",
          sandbox: "bubblewrap",
          grants: ["network"],
          inputs: [],
          touches: ["the skill's files, to read", "a scratch folder, to write", "the network"],
        },
      },
    ]);
    expect(requests).toHaveLength(1);
    const alone = await openWith();
    await expect(alone.session.run?.("demo", "scripts/a.sh")).rejects.toMatchObject({ code: "permission-denied" });
    expect(alone.requests).toEqual([]);
  });

  it("asks again for a door that an earlier yes did not open, and for none that it did", async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return "session" as const;
    };
    const { session, requests } = await openWith({ ask });
    await session.run?.("demo", "scripts/a.sh", { grants: ["network"] });
    await session.run?.("demo", "scripts/a.sh", { args: ["other"] });
    expect([asked, requests.at(-1)?.grants]).toEqual([1, ["network"]]);
    await session.run?.("demo", "scripts/a.sh", { grants: ["read:/work"] });
    expect(asked).toBe(2);
  });

  it("asks for a door even where a rule lets scripts run", async () => {
    const { session } = await openWith({ rules: [{ decision: "allow", tool: "run_skill_script" }] });
    expect((await session.run?.("demo", "scripts/a.sh"))?.exitCode).toBe(0);
    await expect(session.run?.("demo", "scripts/a.sh", { grants: ["network"] })).rejects.toMatchObject({
      code: "permission-denied",
    });
  });

  it("takes a yes for the files that were asked about, and for no others", async () => {
    const folder = layTree(files);
    const root: Root = { path: folder, scope: "user", trusted: true, writable: true, links: "inside" };
    const { runner, requests } = fakeRunner();
    const session = (await openSkills({ roots: [root] })).session({ runner });
    const input = { name: "demo", script: "scripts/a.sh", args: ["x"] };
    expect(await session.asks?.("run_skill_script", input)).toBe(true);
    await session.approved().run?.("demo", "scripts/a.sh", { args: ["x"] });
    expect(requests).toHaveLength(1);
    writeFileSync(join(folder, "demo/scripts/b.sh"), "something else");
    await expect(session.approved().run?.("demo", "scripts/a.sh", { args: ["x"] })).rejects.toMatchObject({
      code: "permission-denied",
    });
    expect(requests).toHaveLength(1);
  });

  it("gives what a script left, by the run's reference", async () => {
    const { session } = await openWith({ ask: async () => true });
    const run = await session.run?.("demo", "scripts/a.sh");
    expect(await session.read(run?.reference ?? "", "out.txt")).toMatchObject({ content: "left", bytes: 4 });
    await expect(session.read(run?.reference ?? "", "none.txt")).rejects.toThrow("It left: out.txt.");
    await expect(session.read(run?.reference ?? "", "../x")).rejects.toMatchObject({ code: "path-outside-skill" });
  });

  it("writes down what was decided, with the script and the files", async () => {
    const { session } = await openWith({ ask: async () => false });
    await expect(session.run?.("demo", "scripts/a.sh")).rejects.toMatchObject({ code: "permission-denied" });
    expect(session.ledger().decisions).toMatchObject([
      { tool: "run_skill_script", skill: "demo", script: "scripts/a.sh", decision: "denied", by: "person" },
    ]);
  });
});

describe("allowed-tools", () => {
  it.each([
    ["Bash", true],
    ["bash(*)", true],
    ["Bash(sh:*)", true],
    ["Bash(sh scripts/*)", true],
    ["Bash(scripts/a.sh)", true],
    ["Bash(./scripts/a.sh:*)", true],
    ["run_skill_script(scripts/a.sh)", true],
    ["Bash(git:*)", false],
    ["Bash(scripts/b.sh:*)", false],
    ["Read", false],
    ["BashOutput", false],
  ])("%s asks for scripts/a.sh: %s", (entry, expected) => {
    expect(asksForScript(["Read", entry], "scripts/a.sh", interpreter)).toBe(expected);
  });
});

describe("toolsets", () => {
  const tools = { tools: [{ name: "own", description: "Does it.", inputSchema: { type: "object" } }] };
  const listed = `${JSON.stringify({ jsonrpc: "2.0", id: 1, result: tools })}\n`;
  const own = {
    "demo/SKILL.md": '---\nname: demo\ndescription: Has tools.\ntoolsets: ["t/index:T"]\n---\n\nDo it.\n',
    "demo/t/index.js": "",
  };

  it("are opened once their skill is active, and ended when they hang", async () => {
    const warnings: string[] = [];
    const { runner } = fakeRunner({ stdout: listed });
    const skills = await memorySkills(own);
    const hanging = { ...runner };
    const session = skills.session({
      runner: hanging,
      permissions: { rules: [{ decision: "allow", tool: "run_skill_script" }] },
      warn: (message) => warnings.push(message),
    });
    expect([await session.openToolsets(), session.ownTools()]).toEqual([[], []]);
    await session.activate("demo");
    expect(await session.openToolsets()).toEqual([]);
    const [tool] = session.ownTools();
    expect(tool?.name).toBe("own");
    hanging.run = async () => ({ ...good, stdout: "", exitCode: null, timedOut: true, durationMs: 30_000 });
    await expect(tool?.call({})).rejects.toMatchObject({ code: "script-failed" });
    expect(session.ownTools()).toEqual([]);
    expect(warnings).toEqual(['demo: its toolset "t/index:T" was ended: It was ended after 30000 ms.']);
  });

  it("are refused to a skill that nobody trusted", async () => {
    const skills = await memorySkills(own);
    const skill = skills.find("demo");
    const untrusted = Object.create(skill, {
      root: { value: { ...skill.root, trusted: false } },
      fields: { value: skill.fields },
    });
    const toolsets = new Toolsets();
    const { runner } = fakeRunner({ stdout: listed });
    const about = { skills, runner, gate: {} as never, book: { keep: () => "" }, operation: "", warn: () => undefined };
    await toolsets.open(about, untrusted);
    expect(toolsets.problems()).toMatchObject([
      { code: "toolset-refused", message: expect.stringContaining("nobody has trusted the skill") },
    ]);
  });
});
