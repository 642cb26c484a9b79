import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/tree.ts";
import { createMemorySource, createSkills, type Embed, type Skills } from "../../src/portable.ts";

const root = { path: "/s", scope: "user", trusted: true, writable: false, links: "inside" } as const;

/** Two meanings: animals and machines. */
const embed: Embed = async (texts) =>
  texts.map((text) => [/\b(?:dog|hound|puppy)\b/i.test(text) ? 1 : 0, /\b(?:car|engine)\b/i.test(text) ? 1 : 0, 0.1]);

function open(embed: Embed): Promise<Skills> {
  const source = createMemorySource({
    "/s/kennel/SKILL.md": skillText("kennel", "Trains a dog."),
    "/s/garage/SKILL.md": skillText("garage", "Repairs an engine."),
    "/s/puppy-papers/SKILL.md": skillText("puppy-papers", "Writes papers."),
  });
  return createSkills({ sources: [{ source, roots: [root] }], embed });
}

describe("search by meaning", () => {
  it("finds what shares no word, and says so", async () => {
    const { hits } = await (await open(embed)).search("my hound does not listen");
    expect(
      hits
        .map(({ skill }) => skill.name)
        .slice(0, 2)
        .sort(),
    ).toEqual(["kennel", "puppy-papers"]);
    expect(hits[0]).toMatchObject({ reason: "meaning", words: [] });
  });

  it("puts first what words and meaning agree on, and a name before both", async () => {
    const skills = await open(embed);
    expect((await skills.search("train my dog")).hits[0]).toMatchObject({
      skill: { name: "kennel" },
      reason: "token_overlap",
      words: ["train", "dog"],
    });
    expect((await skills.search("garage")).hits[0]).toMatchObject({ skill: { name: "garage" }, reason: "exact_name" });
  });

  it("keeps to the limit, the scope and who may be found", async () => {
    const skills = await open(embed);
    expect(await skills.search("a hound", { limit: 1 })).toMatchObject({ hits: [{}], truncated: true });
    expect((await skills.search("a hound", { scope: "project" })).hits).toEqual([]);
    const accept = ({ name }: { readonly name: string }) => name === "garage";
    expect((await skills.search("a hound", { accept })).hits.map(({ skill }) => skill.name)).toEqual(["garage"]);
  });

  it("asks for each skill once", async () => {
    const asked: string[] = [];
    const skills = await open((texts) => {
      asked.push(...texts);
      return embed(texts);
    });
    await skills.search("dog");
    await skills.search("car");
    expect(asked).toHaveLength(3 + 2);
  });

  it.each([
    ["a model that is away", () => Promise.reject(new Error("no network"))],
    ["a model that gives too little", async () => []],
  ])("goes on by words alone with %s, and says so", async (_, broken: Embed) => {
    const { hits, problem } = await (await open(broken)).search("train my dog");
    expect(hits[0]).toMatchObject({ skill: { name: "kennel" } });
    expect(problem).toMatch(/^ranked by words only: /);
  });
});
