import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const layMachine = createMachines();
const secret = "The very secret body.";
const files = {
  "home/.agents/skills/pdf/SKILL.md": skill("pdf", "Fills in PDF forms.", secret),
  "home/.agents/skills/deploy/SKILL.md": `---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\n\nShip $ARGUMENTS.\n`,
};
const activate = ["tool", "activate_skill", '{"name":"pdf"}'];

describe("a conversation on disk", () => {
  it("gives a skill once, and again when the messages no longer hold it", async () => {
    const machine = layMachine(files);
    const inSession = [...activate, "--session", machine.at("chat.json")];
    const first = await machine.run(inSession);
    expect(first.stdout).toContain(secret);
    const again = await machine.run(inSession);
    expect(again.stdout).toMatch(/^<skill_reminder name="pdf" reference="skill-[0-9a-f]{8}-1">/);
    writeFileSync(machine.at("messages.json"), JSON.stringify([{ role: "tool", content: first.stdout.trimEnd() }]));
    const messages = ["--messages", machine.at("messages.json")];
    expect((await machine.run([...inSession, ...messages])).stdout).toMatch(/^<skill_reminder /);
    writeFileSync(machine.at("messages.json"), JSON.stringify([{ role: "user", content: "A summary of pdf." }]));
    expect((await machine.run([...inSession, ...messages])).stdout).toBe(first.stdout);
    const ledger = readFileSync(machine.at("chat.json"), "utf8");
    expect(ledger).not.toContain(secret);
    expect(JSON.parse(ledger).activated).toHaveLength(2);
  });

  it("keeps what a person's load and read did too", async () => {
    const machine = layMachine(files);
    const session = ["--session", machine.at("chat.json")];
    await machine.run(["load", "pdf", "--args", "this one", ...session]);
    await machine.run(["read", "pdf", "SKILL.md", ...session]);
    const { activated, read, decisions } = JSON.parse(readFileSync(machine.at("chat.json"), "utf8"));
    expect(activated).toMatchObject([{ name: "pdf", arguments: "this one" }]);
    expect(read).toMatchObject([{ name: "pdf", file: "SKILL.md" }]);
    expect(decisions.length).toBeGreaterThan(1);
  });

  it("refuses a file that is no session, and messages without one, and leaves the file as it is", async () => {
    const machine = layMachine({ ...files, "chat.json": '{"mine": 1}', "bad.json": "{" });
    const wrong = await machine.run([...activate, "--session", machine.at("chat.json")]);
    expect({ status: wrong.status, told: wrong.stderr }).toMatchObject({
      status: 2,
      told: expect.stringContaining("no session"),
    });
    expect(readFileSync(machine.at("chat.json"), "utf8")).toBe('{"mine": 1}');
    expect((await machine.run([...activate, "--session", machine.at("bad.json")])).status).toBe(2);
    expect((await machine.run([...activate, "--messages", machine.at("bad.json")])).stderr).toContain(
      "give --session FILE",
    );
  });
});

describe("a person's answer", () => {
  const asking = { ...files, "home/.config/skillholm/config.toml": '[[permissions.ask]]\ntool = "activate_skill"\n' };

  it("is needed where a rule asks, and holds as long as it says", async () => {
    const machine = layMachine(asking);
    const session = ["--session", machine.at("chat.json")];
    expect(await machine.run(activate)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("nobody can be asked"),
    });
    expect((await machine.run([...activate, "--yes"])).status).toBe(0);
    expect((await machine.run(activate)).status).toBe(1);
    expect((await machine.run([...activate, "--yes", "--remember", "session", ...session])).status).toBe(0);
    expect((await machine.run([...activate, ...session])).status).toBe(0);
    expect((await machine.run(activate)).status).toBe(1);
    expect((await machine.run([...activate, "--yes", "--remember", "always"])).status).toBe(0);
    expect((await machine.run([...activate, "--yes", "--remember", "always"])).status).toBe(0);
    expect((await machine.run(activate)).status).toBe(0);
    const { json } = await machine.runJson(["permissions"]);
    expect(json).toMatchObject({
      rules: [{ decision: "ask", tool: "activate_skill", from: "user" }],
      answers: [{ decision: "allow", tool: "activate_skill", skill_name: "pdf" }],
    });
    const told = (json as { decisions: { decision: string; by: string }[] }).decisions.map(({ decision, by }) => [
      decision,
      by,
    ]);
    expect(told.at(-1)).toEqual(["allowed", "answer"]);
    expect(told[0]).toEqual(["denied", "nobody"]);
    expect((await machine.run(["permissions", "--forget", "activate_skill", "pdf"])).stdout).toBe("Forgot 1 answer.\n");
    expect((await machine.run(activate)).status).toBe(1);
    expect((await machine.run(["permissions", "--forget", "activate_skill"])).status).toBe(1);
  });

  it("is wrong usage where nothing is answered, or for an unknown time", async () => {
    const machine = layMachine(asking);
    expect((await machine.run([...activate, "--remember", "always"])).status).toBe(2);
    expect((await machine.run([...activate, "--yes", "--remember", "forever"])).stderr).toContain("session or always");
  });
});

describe("a message of a person", () => {
  it("calls skills by name, and hands over what models may not load", async () => {
    const machine = layMachine(files);
    const { json } = await machine.runJson(["prompt", "--for", "/deploy the shop"]);
    expect(json).toMatchObject({ turn: { message: "the shop", mentions: [{ name: "deploy" }] } });
    expect((json as { text: string }).text).toMatch(/<active_skill name="deploy">\nShip the shop\.\n<\/active_skill>$/);
    const hint = await machine.run(["prompt", "--for", "use $pdf for $50"]);
    expect(hint.stdout).toContain('The user calls for the skill "pdf". Call activate_skill for it before you respond.');
    expect(hint.stdout).not.toContain(secret);
    const plain = await machine.runJson(["prompt", "--for", "cd /usr/bin; echo $PATH `$pdf`"]);
    expect(plain.json).toMatchObject({ turn: { mentions: [], notes: "" } });
  });
});

describe("tool, without a name", () => {
  it("lists what a model is offered, with the schemas of the inputs", async () => {
    const machine = layMachine(files);
    const { json } = await machine.runJson(["tool"]);
    const { tools } = json as { tools: { name: string; inputSchema: { required: string[] } }[] };
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
      ["activate_skill", ["name"]],
      ["search_skills", ["query"]],
      ["read_skill_resource", ["name", "path"]],
      ["run_skill_script", ["name", "script"]],
    ]);
    expect((await machine.run(["tool", "activate_skill"])).status).toBe(2);
  });
});

describe("selftest", () => {
  it.each([
    ["standard", ["passed", "passed", "passed", "passed"]],
    ["remcochat", ["passed", "passed", "passed", "passed"]],
    ["codelia", ["passed", "passed", "not-applicable", "not-applicable"]],
    ["agent-base", ["passed", "passed", "passed", "passed"]],
    ["mycodeagent", ["passed", "passed", "not-applicable", "not-applicable"]],
    ["smallebot", ["passed", "passed", "passed", "passed"]],
  ])("walks the conformance skill in %s", async (profile, expected) => {
    const { status, json } = await layMachine({}).runJson(["selftest", "--profile", profile]);
    const report = json as { profile: string; passed: boolean; steps: { status: string }[] };
    expect({ status, profile: report.profile, passed: report.passed }).toEqual({ status: 0, profile, passed: true });
    expect(report.steps.slice(0, 4).map((step) => step.status)).toEqual(expected);
  });
});
