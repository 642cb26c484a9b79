import { describe, expect, it } from "vitest";
import { createMachines, skill } from "../../hosts/cli/test/command.ts";
import { callAll, type Found, search } from "./codelia-support.ts";

const machine = createMachines();
const repo = "project/.agents/skills";
const user = "home/.agents/skills";

const on = machine({
  [`${repo}/release/SKILL.md`]: skill("release", "Publishes a version."),
  [`${repo}/release-notes/SKILL.md`]: skill("release-notes", "Drafts text from commits."),
  [`${repo}/changelog/SKILL.md`]: skill("changelog", "Keeps the list of every release."),
  [`${repo}/weather/SKILL.md`]: skill("weather", "Tells of rain."),
  [`${repo}/invoice/SKILL.md`]: skill("invoice", "請求書 を 作成 する"),
  [`${repo}/receipt/SKILL.md`]: skill("receipt", "領収書 を 作成 する"),
  [`${repo}/masse/SKILL.md`]: skill("masse", "Größe prüfen und ändern"),
  [`${repo}/farbe/SKILL.md`]: skill("farbe", "Farbe prüfen"),
  [`${repo}/two/SKILL.md`]: skill("two", "Compress every large video."),
  [`${repo}/one/SKILL.md`]: skill("one", "Compress folders."),
});
const twin = skill("twin", "Waters plants daily.");
const tied = machine({
  "project/.git/HEAD": "",
  [`${user}/a/twin/SKILL.md`]: twin,
  [`${repo}/z/twin/SKILL.md`]: twin,
  [`${repo}/b/twin/SKILL.md`]: twin,
});
const crowd = machine({
  "project/.git/HEAD": "",
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`${repo}/p${at}/SKILL.md`, skill(`p${at}`, "Paints walls.")]),
  ),
  [`${user}/mine/SKILL.md`]: skill("mine", "Paints walls."),
});

/** What was found, in order, in short. */
async function ranks(query: string): Promise<readonly (readonly [string, string])[]> {
  return (await search(on, { query })).results.map(({ skill: { name }, reason }) => [name, reason]);
}

describe("codelia: skill_search", () => {
  const tools = on
    .runJson(["tool", "--profile", "codelia"])
    .then(({ json }) => (json as { tools: { name: string; inputSchema: object }[] }).tools);
  const release = search(on, { query: "release" });

  it("S1-21, S1-71 takes a query, a limit and a scope", async () => {
    const tool = (await tools).find(({ name }) => name === "skill_search");
    expect(tool?.inputSchema).toMatchObject({
      type: "object",
      required: ["query"],
      properties: {
        query: { type: "string" },
        limit: { type: "integer", minimum: 1 },
        scope: { type: "string", enum: ["repo", "user"] },
      },
    });
    const { properties } = Object(tool?.inputSchema) as { properties: object };
    expect(Object.keys(properties)).toEqual(["query", "limit", "scope"]);
    const wrong = [{}, { query: "" }, { query: "x", limit: 0 }, { query: "x", scope: "all" }, { query: 5 }];
    expect(await callAll(on, "skill_search", wrong)).toEqual(
      wrong.map(() => ({ error: expect.stringContaining("input is wrong") })),
    );
  });

  it("S1-45 puts the skill of a path first", async () => {
    const path = on.at(`${repo}/release-notes/SKILL.md`);
    const { results } = await search(on, { query: path });
    expect(results[0]).toMatchObject({ reason: "exact_path", score: 1, skill: { path } });
    expect(results.filter(({ reason }) => reason === "exact_path")).toHaveLength(1);
  });

  it("S1-46, S1-47, S1-109 then a name, the beginning of one, and what is only told of it", async () => {
    const { results } = await release;
    expect(results.map(({ skill: { name }, reason }) => [name, reason])).toEqual([
      ["release", "exact_name"],
      ["release-notes", "prefix"],
      ["changelog", "token_overlap"],
    ]);
    const [exact = 0, prefix = 0, overlap = 0] = results.map(({ score }) => score);
    expect(1).toBeGreaterThan(exact);
    expect(exact).toBeGreaterThan(prefix);
    expect(prefix).toBeGreaterThan(overlap);
    expect(overlap).toBeGreaterThan(0);
    expect((await ranks("rel")).slice(0, 2)).toEqual([
      ["release", "prefix"],
      ["release-notes", "prefix"],
    ]);
  });

  it("S1-48 ranks two shared words over one, in every script", async () => {
    const overlap = "token_overlap";
    expect(await ranks("compress video")).toEqual([
      ["two", overlap],
      ["one", overlap],
    ]);
    expect(await ranks("請求書 作成")).toEqual([
      ["invoice", overlap],
      ["receipt", overlap],
    ]);
    expect(await ranks("Größe prüfen")).toEqual([
      ["masse", overlap],
      ["farbe", overlap],
    ]);
  });

  it("S1-49 sorts by score", async () => {
    const queries = ["release", "compress video", "Größe prüfen"].map((query) => ({ query }));
    for (const { results } of await callAll<Found>(on, "skill_search", queries)) {
      const scores = results.map(({ score }) => score);
      expect(scores.length).toBeGreaterThan(1);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }
  });

  it("S1-50, S1-51 puts the repository before the user, then goes by path", async () => {
    for (const { results } of await callAll<Found>(tied, "skill_search", [{ query: "twin" }, { query: "plants" }])) {
      expect(new Set(results.map(({ score }) => score)).size).toBe(1);
      expect(results.map((each) => each.skill.path)).toEqual([
        tied.at(`${repo}/b/twin/SKILL.md`),
        tied.at(`${repo}/z/twin/SKILL.md`),
        tied.at(`${user}/a/twin/SKILL.md`),
      ]);
    }
  });

  it("S1-28, S1-72 gives with each the score, the reason and all about the skill", async () => {
    const { results } = await release;
    expect(results[0]).toEqual({
      score: 0.99,
      reason: "exact_name",
      skill: {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        skill_id: results[0]?.skill.id,
        name: "release",
        description: "Publishes a version.",
        path: on.at(`${repo}/release/SKILL.md`),
        dir: on.at(`${repo}/release`),
        scope: "repo",
        mtime_ms: expect.any(Number),
      },
    });
    for (const result of results) {
      expect(Object.keys(result)).toEqual(["score", "reason", "skill"]);
      expect(["exact_path", "exact_name", "prefix", "token_overlap"]).toContain(result.reason);
      expect(Object.keys(result.skill)).toEqual(Object.keys(results[0]?.skill ?? {}));
    }
  });

  it("S1-73 says how many there are, and whether there were more", async () => {
    const [one, two, none] = await callAll<Found>(on, "skill_search", [
      { query: "compress", limit: 1 },
      { query: "compress", limit: 2 },
      { query: "zeppelin" },
    ]);
    expect(one).toMatchObject({ query: "compress", count: 1, truncated: true, results: { length: 1 } });
    expect(two).toMatchObject({ query: "compress", count: 2, truncated: false, results: { length: 2 } });
    expect(none).toEqual({ query: "zeppelin", count: 0, truncated: false, results: [] });
  });

  it("S1-92 gives eight unless told otherwise", async () => {
    const { count, truncated, results } = await search(crowd, { query: "paints" });
    expect({ count, truncated, given: results.length }).toEqual({ count: 8, truncated: true, given: 8 });
    const mine = await search(crowd, { query: "paints", scope: "user" });
    expect(mine.results.map((each) => each.skill.name)).toEqual(["mine"]);
    expect(mine.truncated).toBe(false);
  });

  it("S1-93 gives fifty at most", async () => {
    const { count, truncated, results } = await search(crowd, { query: "paints", limit: 1000 });
    expect({ count, truncated, given: results.length }).toEqual({ count: 50, truncated: true, given: 50 });
    const few = await search(
      crowd,
      { query: "paints", limit: 50 },
      { env: { SKILLHOLM_SKILLS_SEARCH_MAX_LIMIT: "5" } },
    );
    expect(few.count).toBe(5);
  });
});
