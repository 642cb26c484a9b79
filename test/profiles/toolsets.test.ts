import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createMachines } from "../../hosts/cli/test/command.ts";

const machine = createMachines();
const place = "home/.agent/skills";

/** A toolset with one tool that does what is written here. */
function toolset(body: string): string {
  const tool = `{ name: "own", description: "Does it.", inputSchema: { type: "object" }, execute: (input) => { ${body} } }`;
  return `console.log("noise on stdout");\nexport class MyToolset { tools() { return [${tool}]; } }\n`;
}

function lay(toolsets: string, files: Readonly<Record<string, string>>) {
  const own = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${place}/demo/${path}`, text]));
  const text = `---\nname: demo\ndescription: About demo.\ntoolsets:\n  - ${JSON.stringify(toolsets)}\n---\n\nDo it.\n`;
  return machine({ [`${place}/demo/SKILL.md`]: text, ...own });
}

type Home = ReturnType<typeof lay>;

/** One conversation, call by call. */
function converse(home: Home, ...more: readonly string[]) {
  return (name: string, input: object) =>
    home.run([
      ...["tool", name, JSON.stringify(input), "--session", home.at("chat.json")],
      ...["--profile", "agent-base", ...more],
    ]);
}

async function activated(home: Home, ...more: readonly string[]) {
  const call = converse(home, ...more);
  expect((await call("activate_skill", { name: "demo" })).status).toBe(0);
  return call;
}

describe("agent-base: toolsets", () => {
  it("S2-4, S2-45 gives a skill's own tools to the conversation once it is active, and runs them in the sandbox", async () => {
    const body = 'return { input, seen: process.env.SKILL_NAME, secret: process.env.TOKEN ?? "none" };';
    const home = lay("toolsets/index:MyToolset", { "toolsets/index.js": toolset(body) });
    const before = await converse(home, "--yes")("own", {});
    expect(before).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no tool "own"') });
    const call = await activated(home, "--yes");
    expect(await call("own", { a: 1 })).toEqual({
      status: 0,
      stdout: '{"input":{"a":1},"seen":"demo","secret":"none"}\n',
      stderr: "",
    });
  });

  it("S2-45 refuses what is not in the skill, not exported, no tool, or not allowed, with the reason", async () => {
    const good = { "toolsets/index.js": toolset("return 1") };
    const reason = async (entry: string, files: Readonly<Record<string, string>>, ...more: readonly string[]) => {
      const call = await activated(lay(entry, files), ...more);
      const { status, stderr } = await call("own", {});
      expect(status).toBe(2);
      return /is not loaded: (.*)/.exec(stderr)?.[1];
    };
    expect(await reason("../other/index:MyToolset", good, "--yes")).toContain("is no path inside the skill");
    expect(await reason("toolsets/none:MyToolset", good, "--yes")).toBe('the skill has no file "toolsets/none"');
    expect(await reason("toolsets/index:Other", good, "--yes")).toBe('the module has no export "Other"');
    expect(await reason("toolsets/index", good, "--yes")).toContain("as toolsets/index:MyToolset");
    const nameless = { "toolsets/index.js": 'export const MyToolset = { tools: [{ name: "a b" }] };' };
    expect(await reason("toolsets/index:MyToolset", nameless, "--yes")).toContain("a tool's name should be");
    const shapeless = {
      "toolsets/index.js": 'export const MyToolset = { tools: { own: { description: "x", inputSchema: [] } } };',
    };
    expect(await reason("toolsets/index:MyToolset", shapeless, "--yes")).toContain("is no JSON Schema of an object");
    expect(await reason("toolsets/index:MyToolset", good)).toContain("needs a person's yes");
  });

  it("S2-45 ends only the toolset that crashes, and lets a tool say that it failed", async () => {
    const crashing = lay("toolsets/index:MyToolset", { "toolsets/index.js": toolset("process.exit(9)") });
    const ended = await (await activated(crashing, "--yes"))("own", {});
    expect(ended).toMatchObject({ status: 1, stdout: "It ended with status 9. noise on stdout (script-failed)\n" });
    expect(ended.stderr).toContain('its toolset "toolsets/index:MyToolset" was ended: It ended with status 9.');
    const failing = lay("toolsets/index:MyToolset", { "toolsets/index.js": toolset('throw new Error("not today")') });
    const failed = await (await activated(failing, "--yes"))("own", {});
    expect(failed).toEqual({ status: 1, stdout: "not today (script-failed)\n", stderr: "" });
    expect(
      (await (await activated(crashing, "--yes"))("read_skill_resource", { name: "demo", path: "toolsets/index.js" }))
        .status,
    ).toBe(0);
  });

  it("S2-45 loads the example", async () => {
    const home = machine({ [`${place}/.keep`]: "" });
    const example = fileURLToPath(new URL("../../examples/skills/convert-units", import.meta.url));
    cpSync(example, home.at(`${place}/convert-units`), { recursive: true });
    const call = converse(home, "--yes");
    expect((await call("activate_skill", { name: "convert-units" })).status).toBe(0);
    const right = await call("convert_units", { value: 212, from: "F", to: "C" });
    expect(right).toMatchObject({ status: 0, stdout: '{"value":100,"unit":"C"}\n', stderr: "" });
    const wrong = await call("convert_units", { value: "many", from: "F", to: "C" });
    expect(wrong).toMatchObject({ status: 1, stdout: expect.stringContaining("value: Invalid input") });
    const impossible = await call("convert_units", { value: 1, from: "F", to: "km" });
    expect(impossible).toMatchObject({ status: 1, stdout: expect.stringContaining("Cannot convert F to km") });
  });
});
