import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { searchSkills } from "../src/search.ts";

const { catalog } = await memorySkills({
  "pdf-forms/SKILL.md": skillText("pdf-forms", "Fills in and checks PDF forms."),
  "pdf-merge/SKILL.md": skillText("pdf-merge", "Merges several PDF files into one."),
  "report/SKILL.md": skillText("report", "Writes the weekly report of a team from its notes."),
  "tax/SKILL.md": skillText("tax", "发票和报销的处理。"),
});

function search(query: string, options = {}) {
  const { hits, truncated } = searchSkills(catalog.skills, query, options);
  return { hits: hits.map(({ skill, reason }) => `${skill.name} ${reason}`), truncated };
}

describe("search", () => {
  it("puts an exact name first, then a beginning, then shared words", () => {
    expect(search("pdf-forms").hits[0]).toBe("pdf-forms exact_name");
    expect(search("PDF-Forms").hits[0]).toBe("pdf-forms exact_name");
    expect(search("/s/report/SKILL.md").hits).toEqual(["report exact_path"]);
    expect(search("rep").hits).toEqual(["report prefix"]);
    expect(search("pdf").hits).toEqual(["pdf-forms prefix", "pdf-merge prefix"]);
  });

  it("finds by what a sentence is about, whatever the ending of its words", () => {
    expect(search("Could you please help me with merging these two pdfs?").hits[0]).toBe("pdf-merge token_overlap");
    expect(search("I have to fill in a form").hits).toEqual(["pdf-forms token_overlap"]);
    expect(search("how do I write reports every week").hits[0]).toBe("report token_overlap");
  });

  it("finds in text without spaces", () => {
    expect(search("怎么处理发票？").hits).toEqual(["tax token_overlap"]);
  });

  it("finds nothing rather than anything", () => {
    expect(search("hello, what can you do for me?")).toEqual({ hits: [], truncated: false });
    expect(search("zebra")).toEqual({ hits: [], truncated: false });
    expect(search("")).toEqual({ hits: [], truncated: false });
  });

  it("says when there are more, and keeps to the scope", () => {
    expect(search("pdf", { limit: 1 })).toEqual({ hits: ["pdf-forms prefix"], truncated: true });
    expect(search("pdf", { scope: "project" })).toEqual({ hits: [], truncated: false });
  });

  it("gives every score between 0 and 1, and the same each time", () => {
    const first = searchSkills(catalog.skills, "merge pdf forms into the report");
    expect(first.hits.length).toBe(3);
    for (const { score } of first.hits) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(searchSkills(catalog.skills, "merge pdf forms into the report")).toEqual(first);
  });
});
