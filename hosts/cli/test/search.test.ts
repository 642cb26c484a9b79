import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();

describe("search", () => {
  const { at, run, runJson } = machine({
    "team/release/SKILL.md": skill("release", "Publishes a new version of a package."),
    "team/notes/SKILL.md": skill("notes", "Writes release notes from the commits. Use when a release is near."),
    "team/people/SKILL.md": skill("people", "Plans a party.\ndisable-model-invocation: true"),
    "project/.git/HEAD": "",
    "project/.agents/skills/secret/SKILL.md": skill("secret", "Publishes release notes in secret."),
  });
  const root = ["--root", at("team")];

  it("gives names, scores and reasons, best first", async () => {
    const { status, json } = await runJson(["search", "release", ...root]);
    expect(status).toBe(0);
    expect(json).toMatchObject({
      query: "release",
      count: 2,
      truncated: false,
      confident: true,
      results: [
        { name: "release", scope: "project", path: at("team/release/SKILL.md"), reason: "exact_name", words: [] },
        { name: "notes", description: expect.stringMatching(/^Writes/), reason: "token_overlap", words: ["releas"] },
      ],
    });
  });

  it("takes a sentence without quotes, a limit beyond 50 and a scope", async () => {
    const { json } = await runJson(["search", "write", "the", "release", "notes", "--limit", "1000", ...root]);
    expect(json).toMatchObject({ query: "write the release notes", results: [{ name: "notes" }, { name: "release" }] });
    const limited = await runJson(["search", "write the release notes", "--limit", "1", ...root]);
    expect(limited.json).toMatchObject({ count: 1, truncated: true });
    expect((await runJson(["search", "release", "--scope", "user", ...root])).json).toMatchObject({ count: 0 });
  });

  it("finds for people what is kept from models", async () => {
    expect((await runJson(["search", "plan a party", ...root])).json).toMatchObject({ results: [{ name: "people" }] });
  });

  it("knows nothing of skills that are not trusted", async () => {
    const { json } = await runJson(["search", "publish release notes in secret"]);
    expect(JSON.stringify(json)).not.toContain("Publishes release notes in secret");
  });

  it("says so when nothing matches, and ends well", async () => {
    expect(await runJson(["search", "zebra", ...root])).toMatchObject({ status: 0, json: { count: 0, results: [] } });
    const { status, stdout, stderr } = await run(["search", "zebra", ...root]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toContain("No skill matches.");
  });

  it.each([
    [["--limit", "0"], '--limit: "0" should be a whole number from 1 on'],
    [["--limit", "many"], '--limit: "many" should be'],
    [["--scope", "mine"], '--scope: "mine" is no scope. Known: project, user, plugin, system.'],
  ])("refuses %j", async (options, message) => {
    const { status, json } = await runJson(["search", "x", ...options, ...root]);
    expect(status).toBe(2);
    expect((json as { error: { message: string } }).error.message).toContain(message);
  });
});
