import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSection, outlineOf, sectionOf } from "../src/outline.ts";
import { countTokens } from "../src/tokens.ts";

const body = [
  "# Title",
  "Intro.",
  "## Usage ##",
  "Run it.",
  "```sh",
  "# no heading",
  "```",
  "### Deep",
  "x",
  "Under lines",
  "===",
  "y",
  "Two",
  "lines",
  "---",
  "- item",
  "---",
  "#hashtag",
  "",
  "    # code",
].join("\n");

function titles(text: string): readonly string[] {
  return outlineOf(text).map(({ title, level, from, to }) => `${level} ${title} ${from}-${to}`);
}

describe("outlineOf", () => {
  it("reads headings of both kinds outside code, each up to the next of its level", () => {
    expect(titles(body)).toEqual([
      "1 Title 1-8",
      "2 Usage 3-8",
      "3 Deep 8-8",
      "1 x Under lines 9-20",
      "2 y Two lines 12-20",
    ]);
  });

  it("counts what each section costs", () => {
    const [first] = outlineOf("# A\n\nSome words.\n# B");
    expect(first?.tokens).toBe(countTokens("# A\n\nSome words."));
  });

  it("reads any line end", () => {
    expect(titles("# A\r\n\r\nx\r\n# B\r\n")).toEqual(["1 A 1-3", "1 B 4-5"]);
    expect(titles("# A\rx\r# B")).toEqual(["1 A 1-2", "1 B 3-3"]);
  });

  it.each([
    ["a rule", "a\n\n---\nb"],
    ["a rule of stars", "***\n---"],
    ["a list above a rule", "- a\n  b\n---"],
    ["a quotation", "> a\n---"],
    ["a table", "| a |\n---"],
    ["seven signs", "####### a"],
    ["a sign without a blank", "#a"],
    ["an open fence", "~~~\n# a"],
    ["nothing", ""],
  ])("finds no heading in %s", (_, text) => {
    expect(titles(text)).toEqual([]);
  });

  it("has sections that lie in the text, in order, and within those above them", () => {
    const line = fc.constantFrom(
      "# a",
      "## b",
      "### c #",
      "###### d",
      "#",
      "x",
      "",
      "===",
      "---",
      "```",
      "~~~",
      "- y",
      "> z",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n", "\r"), (lines, end) => {
        const sections = outlineOf(lines.join(end));
        let before = 0;
        for (const { from, to, level } of sections) {
          expect(from).toBeGreaterThan(before);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(Math.max(1, lines.length));
          const inside = sections.filter((each) => each.from > from && each.from <= to);
          expect(inside.every((each) => each.level > level)).toBe(true);
          before = from;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["#", "# ", "# a\n", "x\n", "x\n=\n", "-", "- ", "=\n", " ", "```\n", "###### a\n# b\n", "* _"])(
    "is quick on much of %j",
    (piece) => {
      const long = piece.repeat(100_000);
      expect(outlineOf(`# ${long}x`).length).toBeLessThanOrEqual(1000);
      expect(outlineOf(`${long}\n---`).length).toBeLessThanOrEqual(1000);
      expect(sectionOf(long, long)?.length ?? 0).toBeLessThanOrEqual(long.length);
    },
  );
});

describe("findSection", () => {
  const text = "# Install\n## On Linux\na\n## On Windows\nb\n# install\nc\n# Examples\nd\n## Examples\n";

  it.each([
    ["the exact title before another case", "install", "# install\nc"],
    ["any case where none is exact", "INSTALL", "# Install\n## On Linux\na\n## On Windows\nb"],
    ["the only one that begins so", "on w", "## On Windows\nb"],
    ["a title with the signs of a heading", " ##  On   Linux ", "## On Linux\na"],
    ["the first of two", "Examples", "# Examples\nd\n## Examples\n"],
    ["nothing where two begin so", "on", undefined],
    ["nothing for nothing", " ", undefined],
  ])("takes %s", (_, title, found) => {
    expect(sectionOf(text, title)).toBe(found);
    expect(findSection(text, title).section === undefined).toBe(found === undefined);
  });

  it("names the titles that are near, else the first ones", () => {
    expect(findSection(text, "On Linus")).toEqual({ section: undefined, closest: ["On Linux"] });
    expect(findSection(text, "qqqqqqqq").closest).toEqual(["Install", "On Linux", "On Windows", "install", "Examples"]);
    expect(findSection("no headings", "x")).toEqual({ section: undefined, closest: [] });
  });
});
