import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../../test/support/skills.ts";
import { skillText } from "../../../../test/support/tree.ts";
import { createMemorySource, createSkills } from "../../src/portable.ts";
import type { SearchOptions } from "../../src/search/search.ts";

const skills = await memorySkills({
  "pdf-forms/SKILL.md": skillText("pdf-forms", "Fills in and checks PDF forms."),
  "pdf-merge/SKILL.md": skillText("pdf-merge", "Merges several PDF files into one."),
  "report/SKILL.md": skillText("report", "Writes the weekly report of a team from its notes."),
  "tax/SKILL.md": skillText("tax", "发票和报销的处理。"),
  "services/SKILL.md": skillText("services", "Builds .NET services. Not for native code."),
  "fish/SKILL.md": skillText("fish", "Mends a net."),
  "mail/SKILL.md": skillText("mail", "发送邮件。"),
  "tables/SKILL.md": skillText("tables", "データレポートを作成します。"),
  "tagged/SKILL.md": skillText("tagged", "Has tags.", "metadata:\n  tags: kookaburra\n"),
  "native/SKILL.md": skillText("native", "Writes native code in C++."),
  "deep/SKILL.md": `${skillText("deep", "Looks into things.")}\n# Sourdough\n\nThe crust, the crumb and the oven.\n`,
});

async function search(query: string, options: SearchOptions = {}) {
  const { hits, truncated } = await skills.search(query, options);
  return { hits: hits.map(({ skill, reason }) => `${skill.name} ${reason}`), truncated };
}

async function first(query: string, options?: SearchOptions) {
  return (await search(query, options)).hits[0];
}

describe("search", () => {
  it("puts an exact path and an exact name first, then a beginning, then shared words", async () => {
    expect(await first("pdf-forms")).toBe("pdf-forms exact_name");
    expect(await first("PDF Forms")).toBe("pdf-forms exact_name");
    expect((await search("/s/report/SKILL.md")).hits[0]).toBe("report exact_path");
    expect((await search("rep")).hits[0]).toBe("report prefix");
    expect((await search("r")).hits).toEqual(["report prefix"]);
    expect((await search("pdf")).hits).toEqual(["pdf-forms prefix", "pdf-merge prefix"]);
  });

  it("scores a path over a name, a name over a beginning, a beginning over words", async () => {
    const scores: number[] = [];
    for (const query of ["/s/tax", "report", "repo", "the weekly report of my team"]) {
      scores.push((await skills.search(query)).hits[0]?.score ?? 0);
    }
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(4);
  });

  it("finds by what a sentence is about, whatever the ending of its words", async () => {
    expect(await first("Could you please help me with merging these two pdfs?")).toBe("pdf-merge token_overlap");
    expect(await first("I have to fill in a form")).toBe("pdf-forms token_overlap");
    expect(await first("how do I write reports every week")).toBe("report token_overlap");
  });

  it("says which words matched", async () => {
    const { hits } = await skills.search("fill in the forms of the tax office");
    expect(hits.find(({ skill }) => skill.name === "pdf-forms")?.words).toEqual(["fill", "form"]);
  });

  it("finds by what the instructions say", async () => {
    expect(await first("how hot should the oven be for sourdough")).toBe("deep token_overlap");
  });

  it.each([
    ["pdfForms", "pdf-forms exact_name"],
    ["-pdf-forms", "pdf-forms exact_name"],
    ["/s/pdf-forms/", "pdf-forms exact_path"],
    ["file:///s/pdf-forms/SKILL.md", "pdf-forms exact_path"],
    ["pdf-forms@user", "pdf-forms exact_name"],
    ["kookaburra", "tagged"],
    ["デザインデータ", "tables"],
    ["C++", "native"],
    ["cpp", "native"],
    [".NET", "services"],
    ["in .NET, please", "services"],
    ["dotnet service", "services"],
    ["something in native code", "native"],
  ])("takes %s apart as people mean it", async (query, name) => {
    expect(`${await first(query)} `).toMatch(new RegExp(`^${name} `));
  });

  it("counts what a skill is not for against it", async () => {
    const { hits } = await search("write native code for me");
    expect(hits).toEqual(["native token_overlap", "report token_overlap"]);
  });

  it("forgives what is mistyped, and what is not typed yet", async () => {
    expect(await first("fomrs")).toBe("pdf-forms token_overlap");
    expect(await first("weekly reprot")).toBe("report token_overlap");
    expect(await first("wekly summary")).toBe("report token_overlap");
    expect(await first("sever", { typing: true })).toBe("pdf-merge token_overlap");
    expect(await first("wee", { typing: true })).toBe("report token_overlap");
  });

  it("finds in text without spaces, and in Chinese what is written in English", async () => {
    expect((await search("怎么处理发票？")).hits).toEqual(["tax token_overlap"]);
    expect(await first("合并几个 PDF 文件")).toBe("pdf-merge token_overlap");
    expect(await first("サイトのレポートを書く")).toMatch(/^(report|tables) token_overlap$/);
    expect((await skills.search("邮件")).confident).toBe(true);
  });

  it("finds its skill in a long message", async () => {
    const chatter = "Yesterday my sister and I walked along the river and talked about her garden. ".repeat(20);
    expect(await first(`Merge these PDF files into one for me. ${chatter}`)).toBe("pdf-merge token_overlap");
    expect(await first(`${chatter.repeat(8)} Merge these PDF files into one for me.`)).toBe("pdf-merge token_overlap");
  });

  it("finds nothing rather than anything", async () => {
    expect(await search("hello, what can you do for me?")).toEqual({ hits: [], truncated: false });
    expect(await search("zebra")).toEqual({ hits: [], truncated: false });
    expect(await first("file:///%E0%A4")).not.toContain("exact");
    expect(await search("")).toEqual({ hits: [], truncated: false });
  });

  it("is sure of what is meant, and not of what shares a word", async () => {
    expect((await skills.search("merge several pdf files into one")).confident).toBe(true);
    expect((await skills.search("which notes does a piano play when the left pedal is pressed")).confident).toBe(false);
  });

  it("takes no greeting for the beginning of a name, and a letter for no answer", async () => {
    const few = await memorySkills({ "hiring/SKILL.md": skillText("hiring", "Hires people.") });
    expect((await few.search("Hi")).hits).toEqual([]);
    expect((await few.search("Hi", { typing: true })).hits).toHaveLength(1);
    expect(await few.search("h")).toMatchObject({ hits: [{ reason: "prefix" }], confident: false });
    expect(await few.search("hirin")).toMatchObject({ confident: true });
  });

  it("searches each catalog in its own index, however close together", async () => {
    const files = { "/s/a/SKILL.md": skillText("a", "Old zebra."), "/s/b/SKILL.md": skillText("b") };
    const source = createMemorySource(files);
    const root = { path: "/s", scope: "user", trusted: true, writable: false, links: "inside" } as const;
    const own = await createSkills({ sources: [{ source, roots: [root] }] });
    const before = own.search("zebra");
    const reloaded = own.reload().then(() => own.search("zebra"));
    for (const { hits } of await Promise.all([before, reloaded])) expect(hits).toHaveLength(1);
  });

  it("is not held up by many slashes", async () => {
    const slashes = (count: number) => `${"/".repeat(count)}x`;
    const time = async (count: number) => {
      const start = performance.now();
      await skills.search(slashes(count));
      return performance.now() - start;
    };
    await time(100);
    expect(await time(200_000)).toBeLessThan(100 * (await time(2000)) + 200);
  });

  it("says when there are more, and keeps to the scope", async () => {
    expect(await search("pdf", { limit: 1 })).toEqual({ hits: ["pdf-forms prefix"], truncated: true });
    expect(await search("pdf", { scope: "project" })).toEqual({ hits: [], truncated: false });
  });

  it("gives every score between 0 and 1, and the same each time", async () => {
    const once = await skills.search("merge pdf forms into the report");
    expect(once.hits.length).toBe(3);
    for (const { score } of once.hits) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(await skills.search("merge pdf forms into the report")).toEqual(once);
  });
});
