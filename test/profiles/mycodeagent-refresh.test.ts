import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "../../hosts/cli/test/command.ts";
import { layEntries } from "../support/tree.ts";
import { openConversation } from "./conversation.ts";
import { checkEnvelope } from "./envelope.ts";

const machine = createMachines();
const never = { env: { SKILLS_REFRESH_ON_CALL: "false" } };

function write(home: Machine, path: string, text: string): void {
  layEntries(home.at("project/skills"), { [`${path}/SKILL.md`]: text });
}

/** A conversation about a project; `load` gives the body, or the code of the refusal. */
async function open(home: Machine, options: Parameters<typeof openConversation>[2] = {}) {
  const conversation = await openConversation(home, "mycodeagent", options);
  const load = async (name: string) => {
    const { data, error } = checkEnvelope(await conversation.call("Skill", { name }));
    return error?.code ?? data.content?.split("\n").slice(2).join("\n");
  };
  return { ...conversation, load };
}

const laid = { "project/skills/a/SKILL.md": skill("a", "A.", "First"), "project/skills/group/b/SKILL.md": skill("b") };

describe("mycodeagent: changes on disk", () => {
  it("S3-54, S3-55 sees what was added, edited and removed at the next call, nested folders too", async () => {
    const home = machine(laid);
    const { load } = await open(home);
    expect([await load("a"), await load("b"), await load("c")]).toEqual(["First", "Do it.", "NOT_FOUND"]);
    write(home, "c", skill("c", "C.", "New"));
    write(home, "group/deep/d", skill("d", "D.", "Deep"));
    write(home, "a", skill("a", "A.", "Second"));
    write(home, "group/b", skill("b-renamed", "B.", "Renamed"));
    expect([await load("c"), await load("d"), await load("a"), await load("b-renamed")]).toEqual([
      "New",
      "Deep",
      "Second",
      "Renamed",
    ]);
    rmSync(home.at("project/skills/group"), { recursive: true });
    expect([await load("d"), await load("b-renamed"), await load("a")]).toEqual(["NOT_FOUND", "NOT_FOUND", "Second"]);
  });

  it("sees the first skill of a project that had none", async () => {
    const home = machine({ "project/README.md": "" });
    const { load } = await open(home);
    await expect(load("a")).rejects.toThrow("There are no skills");
    write(home, "a", skill("a"));
    expect(await load("a")).toBe("Do it.");
  });

  it("S3-53 looks at the disk once at the start, before anybody calls", async () => {
    const home = machine(laid);
    const { ask, load } = await open(home, never);
    write(home, "late", skill("late"));
    expect(await ask("skills.list")).toMatchObject({ skills: [{ name: "a" }, { name: "b" }] });
    expect([await load("b"), await load("late")]).toEqual(["Do it.", "NOT_FOUND"]);
  });

  it("S3-57 does not look again where SKILLS_REFRESH_ON_CALL is off, and does by default", async () => {
    for (const value of ["False", "0"]) {
      const home = machine(laid);
      const { load } = await open(home, { env: { SKILLS_REFRESH_ON_CALL: value } });
      write(home, "late", skill("late"));
      expect([value, await load("late")]).toEqual([value, "NOT_FOUND"]);
    }
    for (const env of [{ SKILLS_REFRESH_ON_CALL: "true" }, {} as Record<string, string>]) {
      const home = machine(laid);
      const { load } = await open(home, { env });
      write(home, "late", skill("late"));
      expect(await load("late")).toBe("Do it.");
    }
  });

  it("S3-33 reads the file when it is called for, whether or not it looks again", async () => {
    const home = machine(laid);
    const { load } = await open(home, never);
    expect(await load("a")).toBe("First");
    write(home, "a", skill("a", "A.", "Second"));
    expect(await load("a")).toBe("Second");
  });
});

describe("mycodeagent: files that cannot be had", () => {
  it("S3-60 tells of a file that it may not read, found so at the start or later", async () => {
    const home = machine({ ...laid, "project/skills/locked/SKILL.md": skill("locked") });
    chmodSync(home.at("project/skills/locked/SKILL.md"), 0);
    const fixed = await open(home, { ...never, unprivileged: true });
    const fresh = await open(home, { unprivileged: true });
    expect([await fixed.load("a"), await fresh.load("a")]).toEqual(["First", "First"]);
    expect([await fixed.load("locked"), await fresh.load("locked")]).toEqual([
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
    ]);
    chmodSync(home.at("project/skills/a/SKILL.md"), 0);
    expect([await fixed.load("a"), await fresh.load("a")]).toEqual(["PERMISSION_DENIED", "PERMISSION_DENIED"]);
    chmodSync(home.at("project/skills/a/SKILL.md"), 0o644);
    expect([await fixed.load("a"), await fresh.load("a")]).toEqual(["First", "First"]);
  });

  it("S3-61 tells of a file that went away after the scan, or is no file any more", async () => {
    const home = machine(laid);
    const { load } = await open(home, never);
    rmSync(home.at("project/skills/a/SKILL.md"));
    expect(await load("a")).toBe("EXECUTION_ERROR");
    rmSync(home.at("project/skills/group"), { recursive: true });
    expect(await load("b")).toBe("EXECUTION_ERROR");
    layEntries(home.at("project/skills/a"), { "SKILL.md/inner.txt": "a folder now" });
    expect(await load("a")).toBe("EXECUTION_ERROR");
  });

  it("S3-63 tells of a file that was a skill and is none now", async () => {
    const broken = [
      "no frontmatter",
      "---\nname: a\ndescription: A.\n",
      "---\nname: a\n---\nB\n",
      "---\n- x\n---\nB\n",
      "",
    ];
    const home = machine(laid);
    const fixed = await open(home, never);
    const fresh = await open(home);
    for (const text of broken) {
      writeFileSync(home.at("project/skills/a/SKILL.md"), text);
      expect([text, await fixed.load("a"), await fresh.load("a")]).toEqual([text, "INTERNAL_ERROR", "INTERNAL_ERROR"]);
    }
    write(home, "a", skill("a", "A.", "Mended"));
    expect([await fixed.load("a"), await fresh.load("a")]).toEqual(["Mended", "Mended"]);
  });
});
