import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCompatStore } from "../src/index.ts";

const base = mkdtempSync(join(tmpdir(), "skillholm-compat-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;

function freshFolder(): string {
  return join(base, `${++count}`);
}

describe("the compat store", () => {
  it("has no agent on at first", () => {
    expect(createCompatStore(freshFolder()).list()).toEqual([]);
  });

  it("remembers each agent once, in order, for whoever opens it next", async () => {
    const folder = freshFolder();
    const compat = createCompatStore(folder);
    for (const agent of ["gemini", "claude", "gemini"]) await compat.set(agent, "on");
    expect(createCompatStore(folder).list()).toEqual(["claude", "gemini"]);
    expect(JSON.parse(readFileSync(join(folder, "compat.json"), "utf8"))).toEqual({ agents: ["claude", "gemini"] });
  });

  it("switches one off and leaves the others on", async () => {
    const compat = createCompatStore(freshFolder());
    for (const agent of ["claude", "codex"]) await compat.set(agent, "on");
    await compat.set("claude", "off");
    await compat.set("cursor", "off");
    expect(compat.list()).toEqual(["codex"]);
  });

  it("refuses a file that it does not understand, and keeps it", async () => {
    const folder = freshFolder();
    const file = join(folder, "compat.json");
    mkdirSync(folder);
    writeFileSync(file, '{"agents":[1]}');
    const compat = createCompatStore(folder);
    expect(() => compat.list()).toThrow(`${file} cannot be read ("agents" should be a list of names)`);
    await expect(compat.set("claude", "on")).rejects.toThrow('"agents" should be a list of names');
    expect(readFileSync(file, "utf8")).toBe('{"agents":[1]}');
  });
});
