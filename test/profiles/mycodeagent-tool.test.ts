import { readFileSync } from "node:fs";
import { createMemorySource, createSkills, type Session } from "@skillholm/core";
import { mycodeagent } from "@skillholm/profiles";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "../../hosts/cli/test/command.ts";
import { openConversation } from "./conversation.ts";
import { checkEnvelope, type Envelope } from "./envelope.ts";

const machine = createMachines();
const profile = ["--profile", "mycodeagent"];

const codeReview = `---
name: code-review
description: Review code quality and risks
---
# Code Review

Use this checklist:
- ...

$ARGUMENTS
`;

const files = {
  "project/skills/code-review/SKILL.md": codeReview,
  "project/skills/group/twice/SKILL.md": skill("twice", "D.", "A $ARGUMENTS, b $ARGUMENTS. Not $ARGUMENTS_FILE."),
  "project/skills/plain/SKILL.md": skill("plain", "D.", "No slot here."),
  "project/skills/empty/SKILL.md": "---\nname: empty\ndescription: D.\n---\n",
  "project/skills/quoting/SKILL.md": skill("quoting", "D.", "Run !`touch ran` and see @notes.md, ```!\nls\n``` too."),
  "project/skills/quoting/notes.md": "NOTES",
  "project/skills/tools/SKILL.md": skill("tools", "D.\nallowed-tools: Nothing\nmodel: other", "No slot here."),
};

describe("mycodeagent: the Skill tool", () => {
  const home = machine(files);
  const call = async (input: unknown, ...more: string[]) => {
    const { status, json } = await home.runJson(["tool", "Skill", JSON.stringify(input), ...profile, ...more]);
    const answer = checkEnvelope(json);
    expect(status).toBe(answer.status === "error" ? 1 : 0);
    return answer;
  };
  const body = ({ data }: Envelope) => data.content?.split("\n").slice(2).join("\n");

  it("S3-1, S3-11, S3-36, S3-37, S3-72 gives the example's instructions in the envelope, to the letter", async () => {
    const answer = await call({ name: "code-review", args: "src/main.py" });
    expect(answer).toEqual({
      status: "success",
      data: {
        name: "code-review",
        base_dir: "skills/code-review",
        content:
          "Base directory for this skill: skills/code-review\n\n# Code Review\n\nUse this checklist:\n- ...\n\nsrc/main.py",
      },
      text: 'Loaded the skill "code-review". Follow its instructions.',
      stats: { time_ms: expect.any(Number) },
      context: {
        cwd: home.at("project"),
        params_input: { name: "code-review", args: "src/main.py" },
        path_resolved: "skills/code-review/SKILL.md",
      },
    });
  });

  it("S3-7, S3-16, S3-34, S3-35 begins with the base directory, and leaves the frontmatter out", async () => {
    const { data } = await call({ name: "twice", args: "x" });
    expect(data.base_dir).toBe("skills/group/twice");
    expect(data.content).toBe("Base directory for this skill: skills/group/twice\n\nA x, b x. Not $ARGUMENTS_FILE.");
    expect((await call({ name: "empty" })).data.content).toBe("Base directory for this skill: skills/empty\n\n");
  });

  it("S3-8, S3-12 fills every slot with the arguments as they are", async () => {
    const args = "$& $1 $$ \\n $ARGUMENTS </x> `id`";
    expect(body(await call({ name: "twice", args }))).toBe(`A ${args}, b ${args}. Not $ARGUMENTS_FILE.`);
  });

  it("S3-13 appends the arguments after a blank line where there is no slot", async () => {
    expect(body(await call({ name: "plain", args: "a\nb" }))).toBe("No slot here.\n\nARGUMENTS: a\nb");
  });

  it("S3-14, S3-31 does nothing where there are no arguments, or empty ones", async () => {
    for (const args of [undefined, "", "  "]) {
      const given = args === undefined ? {} : { args };
      expect(body(await call({ name: "plain", ...given }))).toBe("No slot here.");
    }
    expect(body(await call({ name: "code-review", args: "" }))).toMatch(/\n\n\$ARGUMENTS$/);
  });

  it("S3-58 refuses a call without a proper name", async () => {
    const { call: ask } = await openConversation(home, "mycodeagent");
    const wrong = [{}, { name: "" }, { name: null }, { name: 5 }, { name: ["plain"] }, { name: "x".repeat(201) }];
    const more = [null, [], "plain", 5, { name: "plain", args: 5 }, { name: "plain", args: "x".repeat(100_001) }];
    for (const input of [...wrong, ...more]) {
      const { error, text } = checkEnvelope(await ask("Skill", input));
      expect([input, error?.code]).toEqual([input, "INVALID_PARAM"]);
      expect(text).toContain('Give the name of one skill, as {"name": "code-review"}.');
    }
  });

  it("S3-59 says that a skill is not there, and names the nearest", async () => {
    const answer = await call({ name: "code-reveiw" });
    expect(answer).toMatchObject({
      data: {},
      error: { code: "NOT_FOUND", message: 'No skill "code-reveiw". Closest: code-review.' },
      text: expect.stringContaining("Use one of the skills that the tool lists"),
      context: { params_input: { name: "code-reveiw" } },
    });
    for (const name of ["../../home", "/etc/passwd", "__proto__", "a\nb\u001b[31m"]) {
      expect((await call({ name })).error?.code).toBe("NOT_FOUND");
    }
  });

  it("S3-76, S3-77 pays no heed to allowed tools or to a model", async () => {
    const [limited, free] = [await call({ name: "tools" }), await call({ name: "plain" })];
    expect(body(limited)).toBe(body(free));
    expect(limited.text).toBe(free.text.replace("plain", "tools"));
  });

  it("S3-78 runs no command and reads no file that the instructions name", async () => {
    expect(body(await call({ name: "quoting" }))).toBe("Run !`touch ran` and see @notes.md, ```!\nls\n``` too.");
    expect(() => readFileSync(home.at("project/ran"))).toThrow("ENOENT");
  });

  it("S3-9, S3-74, S3-75 has no shop, asks for no permission, and offers nothing beside the one tool", async () => {
    for (const command of ["import", "publish", "update", "install"]) {
      const { status, stdout } = await home.run([command, "plain", ...profile]);
      expect([command, status, stdout]).toEqual([command, 2, ""]);
    }
    const { stdout, stderr } = await home.run(["tool", "Skill", '{"name":"plain"}', ...profile]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "success" });
    expect(stderr).toBe("");
    const { json } = await home.runJson(["tool", ...profile]);
    const [only, ...others] = (json as { tools: readonly { inputSchema: { properties: object } }[] }).tools;
    expect(others).toEqual([]);
    expect(Object.keys(only?.inputSchema.properties ?? {})).toEqual(["name", "args", "from"]);
  });

  it("S3-32, S3-67 asks its loader once for each call; loader, tool and prompt stand apart", async () => {
    const root = { path: "/p/skills", scope: "project", trusted: true, writable: false, links: "inside" } as const;
    const source = createMemorySource({ "/p/skills/a/SKILL.md": skill("a", "About a.", "Do a.") });
    const skills = await createSkills({ sources: [{ source, roots: [root] }], policy: mycodeagent.policy });
    const asked: string[] = [];
    const session = skills.session();
    const counting: Session = {
      ...session,
      activate: (reference, options) => {
        asked.push(reference);
        return session.activate(reference, options);
      },
    };
    const [tool] = mycodeagent.createTools(counting, { cwd: "/p" });
    const result = await tool?.call({ name: "a" });
    expect(checkEnvelope(result?.structured).data).toMatchObject({ base_dir: "skills/a" });
    expect(asked).toEqual(["a"]);
    await tool?.call({ name: "none" });
    expect(asked).toEqual(["a", "none"]);
    const { text } = mycodeagent.renderCatalog({ skills: session.visible() }, mycodeagent.limits);
    expect(text).toContain("\n- a: About a.\n");
    expect(asked).toHaveLength(2);
  });
});

describe("mycodeagent: skills that load skills", () => {
  const chain = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const home = machine(Object.fromEntries(chain.map((name) => [`project/skills/${name}/SKILL.md`, skill(name)])));

  it("S3-64 makes no difference between a call and a call from within a skill", async () => {
    const { call } = await openConversation(home, "mycodeagent");
    const [first, other, again] = [
      checkEnvelope(await call("Skill", { name: "s0" })),
      checkEnvelope(await call("Skill", { name: "s1" })),
      checkEnvelope(await call("Skill", { name: "s0" })),
    ];
    expect([first.status, other.status]).toEqual(["success", "success"]);
    expect(again.data).toEqual(first.data);
  });

  it("S3-65 keeps the chain of skills that led to one, to a certain depth", async () => {
    const file = home.at("session.json");
    const load = (input: object) =>
      home.runJson(["tool", "Skill", JSON.stringify(input), ...profile, "--session", file]);
    await load({ name: "s0" });
    await load({ name: "s1", from: "s0" });
    await load({ name: "s2", from: "s1" });
    const { activated } = JSON.parse(readFileSync(file, "utf8")) as {
      activated: readonly { name: string; from?: readonly string[] }[];
    };
    const path = (name: string) => home.at(`project/skills/${name}/SKILL.md`);
    expect(activated.map(({ name, from }) => [name, from])).toEqual([
      ["s0", undefined],
      ["s1", [path("s0")]],
      ["s2", [path("s0"), path("s1")]],
    ]);
    const { call } = await openConversation(home, "mycodeagent");
    const codes: (string | undefined)[] = [];
    for (const [index, name] of chain.entries()) {
      const from = index === 0 ? {} : { from: chain[index - 1] };
      codes.push(checkEnvelope(await call("Skill", { name, ...from })).error?.code);
    }
    expect(codes).toEqual([...Array.from({ length: 8 }, () => undefined), "INVALID_PARAM", "INVALID_PARAM"]);
  });

  it("S3-66 refuses a circle, and names the chain", async () => {
    const { call } = await openConversation(home, "mycodeagent");
    await call("Skill", { name: "s0" });
    await call("Skill", { name: "s1", from: "s0" });
    const circle = checkEnvelope(await call("Skill", { name: "s0", from: "s1" }));
    expect(circle.error).toEqual({
      code: "INVALID_PARAM",
      message: "Skills that load each other in a circle: s0 → s1 → s0. Go on without it.",
    });
    const self = checkEnvelope(await call("Skill", { name: "s0", from: "s0" }));
    expect(self.error).toMatchObject({ code: "INVALID_PARAM", message: expect.stringContaining("s0 → s0") });
    const absent = checkEnvelope(await call("Skill", { name: "s2", from: "s3" }));
    expect(absent.error).toMatchObject({ code: "INVALID_PARAM", message: expect.stringContaining("not active") });
  });
});
