import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import type { LedgerDecision } from "../src/ledger.ts";
import { createMemorySource } from "../src/memory-source.ts";
import type { PermissionAnswer, PermissionRule } from "../src/permissions.ts";
import type { SessionOptions } from "../src/session.ts";
import { createSkills } from "../src/skills.ts";

const files = { "a/SKILL.md": skillText("a"), "b/SKILL.md": skillText("b") };
const asked: PermissionRule = { decision: "ask", tool: "activate_skill", skill: "a" };

describe("permissions", () => {
  it("are deny before allow before ask, in every combination of rules", async () => {
    const skills = await memorySkills(files);
    const decisions = ["deny", "allow", "ask"] as const;
    for (let chosen = 0; chosen < 8; chosen++) {
      const own = decisions.filter((_, index) => chosen & (1 << index));
      const rules = own.map((decision): PermissionRule => ({ decision, tool: "activate_skill", skill: "a" }));
      for (const order of [rules, rules.toReversed()]) {
        const expected = own.includes("deny")
          ? "denied"
          : own.includes("allow") || own.length === 0
            ? "allowed"
            : "ask";
        const session = skills.session({ permissions: { rules: order } });
        expect(session.judge("activate_skill", "a")).toBe(expected);
        expect(session.judge("activate_skill", "b")).toBe("allowed");
      }
    }
  });

  it("are judged on the skill that was found, whatever it was called by", async () => {
    const rules: PermissionRule[] = [{ decision: "deny", tool: "activate_skill", skill: "a" }];
    const session = (await memorySkills(files)).session({ permissions: { rules } });
    for (const reference of ["a", "a@user", "/s/a", "/s/a/SKILL.md"]) {
      await expect(session.activate(reference)).rejects.toMatchObject({ code: "permission-denied" });
      for (const path of ["SKILL.md", "./SKILL.md", "skill.md", ".//SKILL.md"]) {
        await expect(session.read(reference, path)).rejects.toMatchObject({ code: "permission-denied" });
      }
    }
  });

  it("hold for a skill inside another, by whichever one it is read", async () => {
    const nested = {
      "outer/SKILL.md": skillText("outer"),
      "outer/skills/inner/SKILL.md": `${skillText("inner")}\nInner secret.\n`,
      "outer/skills/inner/a.md": "Inner file.",
    };
    const source = createMemorySource(
      Object.fromEntries(Object.entries(nested).map(([path, text]) => [`/s/${path}`, text])),
    );
    const root = { path: "/s", scope: "user", trusted: true, writable: true, links: "inside" } as const;
    const skills = await createSkills({ sources: [{ source, roots: [root] }], policy: { nested: "find" } });
    const read = (options: SessionOptions, path: string) => skills.session(options).read("outer", path);
    const deny = (tool: string) => ({ permissions: { rules: [{ decision: "deny", tool, skill: "inner" }] } }) as const;
    expect((await read({}, "skills/inner/SKILL.md")).content).toContain("Inner secret.");
    for (const path of ["skills/inner/SKILL.md", "./skills//inner/SKILL.md", "skills/inner/skill.md"]) {
      await expect(read(deny("activate_skill"), path)).rejects.toMatchObject({ code: "permission-denied" });
      await expect(read({ only: ["outer"] }, path)).rejects.toMatchObject({ code: "skill-not-found" });
    }
    await expect(read(deny("read_skill_resource"), "skills/inner/a.md")).rejects.toMatchObject({
      code: "permission-denied",
    });
    const ask = { rules: [{ decision: "ask", tool: "activate_skill", skill: "inner" }] } as const;
    const asking = skills.session({ permissions: ask });
    expect(await asking.asks?.("read_skill_resource", { name: "outer", path: "skills/inner/SKILL.md" })).toBe(true);
  });

  it("tell people where a rule stands, and models only that there is one", async () => {
    const rules: PermissionRule[] = [{ decision: "deny", tool: "activate_skill", place: "/home/me/config.toml:3" }];
    const skills = await memorySkills(files);
    await expect(skills.session({ permissions: { rules } }).activate("a")).rejects.toThrow(
      'activate_skill of "a" is denied by a rule.',
    );
    await expect(skills.session({ permissions: { rules }, audience: "people" }).activate("a")).rejects.toThrow(
      "(/home/me/config.toml:3)",
    );
  });

  it("ask as often as a person's answer says", async () => {
    const skills = await memorySkills(files);
    const ask = async (answer: PermissionAnswer) => {
      const counts = { asked: 0, remembered: 0 };
      const session = skills.session({
        permissions: {
          rules: [asked],
          ask: async () => {
            counts.asked++;
            return answer;
          },
          remember: async () => void counts.remembered++,
        },
      });
      await session.activate("a").catch(() => undefined);
      await session.activate("a").catch(() => undefined);
      return counts;
    };
    expect(await ask(true)).toEqual({ asked: 2, remembered: 0 });
    expect(await ask("once")).toEqual({ asked: 2, remembered: 0 });
    expect(await ask("session")).toEqual({ asked: 1, remembered: 0 });
    expect(await ask("always")).toEqual({ asked: 1, remembered: 1 });
    expect(await ask(false)).toEqual({ asked: 2, remembered: 0 });
  });

  it("keep an answer for the conversation with its ledger", async () => {
    const skills = await memorySkills(files);
    const session = skills.session({ permissions: { rules: [asked], ask: async () => "session" } });
    await session.activate("a");
    const later = skills.session({ permissions: { rules: [asked] }, ledger: session.ledger() });
    expect(later.judge("activate_skill", "a")).toBe("allowed");
    await later.activate("a");
    await expect(skills.session({ permissions: { rules: [asked] } }).activate("a")).rejects.toThrow(
      "nobody can be asked",
    );
  });

  it("log every decision, and who made it", async () => {
    const log: LedgerDecision[] = [];
    const skills = await memorySkills(files);
    const rules: PermissionRule[] = [
      asked,
      { decision: "deny", tool: "read_skill_resource", skill: "b", place: "config.toml:3" },
      { decision: "allow", tool: "activate_skill", skill: "b", remembered: true },
    ];
    const session = skills.session({ permissions: { rules, log: (decision) => void log.push(decision) } });
    await session.activate("b");
    await session.activate("a").catch(() => undefined);
    await session.read("b", "x").catch(() => undefined);
    await session.search("a");
    const told = log.map(({ tool, skill, decision, by, place }) => [tool, skill, decision, by, place]);
    expect(told).toEqual([
      ["activate_skill", "b", "allowed", "answer", undefined],
      ["activate_skill", "a", "denied", "nobody", undefined],
      ["read_skill_resource", "b", "denied", "rule", "config.toml:3"],
      ["search_skills", undefined, "allowed", "default", undefined],
    ]);
    expect(session.ledger().decisions).toEqual(log);
  });

  it("say beforehand what a call would ask, and take a yes from elsewhere", async () => {
    const skills = await memorySkills(files);
    const session = skills.session({ permissions: { rules: [asked] } });
    expect(await session.asks?.("activate_skill", { name: "a" })).toBe(true);
    expect(await session.asks?.("read_skill_resource", { name: "a", path: "./SKILL.md" })).toBe(true);
    for (const [tool, input] of [
      ["activate_skill", { name: "b" }],
      ["activate_skill", { name: "nobody" }],
      ["activate_skill", 5],
      ["read_skill_resource", { name: "a", path: "x.md" }],
    ] as const) {
      expect(await session.asks?.(tool, input)).toBe(false);
    }
    await session.approved().activate("a");
    expect(session.ledger().activated.map(({ name }) => name)).toEqual(["a"]);
    expect(skills.session().asks).toBeUndefined();
  });

  it("let a person call by name what models may not, but not what a rule denies", async () => {
    const hidden = skillText("deploy", "Deploys.", "disable-model-invocation: true\n");
    const skills = await memorySkills({ "deploy/SKILL.md": hidden });
    await expect(skills.session().activate("deploy")).rejects.toThrow("only people");
    expect((await skills.session().activate("deploy", { by: "person" })).skill.name).toBe("deploy");
    const rules: PermissionRule[] = [{ decision: "deny", tool: "activate_skill" }];
    const denied = skills.session({ permissions: { rules } });
    await expect(denied.activate("deploy", { by: "person" })).rejects.toMatchObject({ code: "permission-denied" });
  });
});
