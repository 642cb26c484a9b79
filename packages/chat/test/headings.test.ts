import { describe, expect, it } from "vitest";
import { parseHeadings } from "../src/headings.ts";

function titles(markdown: string): readonly string[] {
  return parseHeadings(markdown).map(({ depth, title }) => `${depth} ${title}`);
}

describe("headings", () => {
  it("are read in every way of writing them, outside of code", () => {
    const text =
      "# One #\n   ### Three\nTwo\n---\nTop\n===\n```sh\n# no\n~~~\n```\n#no\n    # code\n\n---\n## \r\n## Last\r";
    expect(titles(text)).toEqual(["1 One", "3 Three", "2 Two", "1 Top", "2 Last"]);
  });

  it("are read in time, whatever they hold", () => {
    expect(titles(`# a${" ".repeat(200_000)}b`)).toEqual(["1 a"]);
    expect(titles(`${"# ".repeat(100_000)}`)).toEqual([]);
    expect(parseHeadings(`# ${"x".repeat(100_000)}`)[0]?.title.length).toBeLessThan(200);
  });
});
