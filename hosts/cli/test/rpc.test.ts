import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();

describe("rpc", () => {
  const home = machine({
    "team/a/SKILL.md": skill("a", "About a."),
    "team/broken/SKILL.md": "---\nname: broken\n---\n",
    "other/.git/HEAD": "",
    "other/.agents/skills/b/SKILL.md": skill("b"),
  });
  const ask = async (...messages: (object | string)[]) => {
    const stdin = messages.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n");
    const { status, stdout } = await home.run(["rpc", "--root", home.at("team")], { stdin });
    expect(status).toBe(0);
    return stdout
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const call = (method: string, params?: object, id: number | string = 1) => ({ jsonrpc: "2.0", id, method, params });

  it("introduces itself and lists the skills with what is wrong", async () => {
    const [hello, list] = await ask(call("initialize"), call("skills.list", {}, "x"));
    expect(hello).toMatchObject({ id: 1, result: { name: "skillholm", supports_skills_list: true } });
    const [{ id }] = list.result.skills;
    expect(list).toMatchObject({
      id: "x",
      result: {
        skills: [
          {
            id: expect.stringMatching(/^[0-9a-f]{16}$/),
            skill_id: id,
            name: "a",
            description: "About a.",
            path: home.at("team/a/SKILL.md"),
            dir: home.at("team/a"),
            scope: "project",
            mtime_ms: expect.any(Number),
          },
        ],
        errors: [{ path: home.at("team/broken/SKILL.md"), message: expect.stringContaining("description") }],
        truncated: false,
      },
    });
  });

  it("shows what the model would see, entry by entry", async () => {
    const [whole, less] = await ask(call("context.inspect"), call("context.inspect", { include_skills: false }));
    expect(whole.result).toMatchObject({
      prompt: {
        text: expect.stringContaining("<name>a</name>"),
        entries: [{ name: "a", tokens: expect.any(Number), shown: "full", reason: "it fits" }],
      },
      skills: {
        enabled: true,
        working_dir: home.at("project"),
        catalog: { skills: [{ name: "a" }] },
        loaded_versions: [],
      },
    });
    expect(less.result.skills).toBeUndefined();
  });

  it("answers what is wrong, and goes on", async () => {
    const answers = await ask(
      "no json",
      { jsonrpc: "1.0", id: 1, method: "initialize" },
      call("nothing"),
      call("skills.list", { cwd: 5 }),
      call("skills.list", { cwd: "/nowhere/at/all" }),
      call("skills.list", { extra: true }),
      [],
      call("initialize"),
    );
    expect(answers.map((each) => each.error?.code ?? "ok")).toEqual([
      -32700,
      -32600,
      -32601,
      -32602,
      -32602,
      -32602,
      -32600,
      "ok",
    ]);
  });

  it("says nothing to a notification, and answers a batch at once", async () => {
    const batch = [call("initialize", {}, 7), { jsonrpc: "2.0", method: "initialize" }, call("nothing", {}, 8)];
    expect(await ask({ jsonrpc: "2.0", method: "initialize" }, batch)).toMatchObject([[{ id: 7 }, { id: 8 }]]);
  });

  it("takes signs that end a line elsewhere, and refuses a flood without keeping it", async () => {
    const odd = JSON.stringify(call("skills.list", {}, "a\u2028b"));
    const [answer, refused] = await ask(odd, " ".repeat(3 * 1024 * 1024));
    expect(answer).toMatchObject({ id: "a\u2028b", result: { truncated: false } });
    expect(refused).toBeUndefined();
    expect((await ask("x".repeat(2 * 1024 * 1024)))[0]).toMatchObject({ error: { code: -32600 } });
  });

  it("looks from another folder", async () => {
    const stdin = JSON.stringify(call("skills.list", { cwd: home.at("other") }));
    await home.run(["trust", home.at("other"), "--yes"]);
    const { stdout } = await home.run(["rpc"], { stdin });
    expect(stdout).toContain(home.at("other/.agents/skills/b/SKILL.md"));
  });
});
