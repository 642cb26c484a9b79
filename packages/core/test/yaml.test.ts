import fc from "fast-check";
import { FAILSAFE_SCHEMA, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../src/yaml.ts";
import { yamlTexts } from "./yaml-texts.ts";

const read = (text: string) => parseYaml(text).values;
const messages = (text: string) => parseYaml(text).problems.map((problem) => problem.message);

/** A mapping, if the library can read one. */
function tryLibrary(text: string): object | undefined {
  try {
    const value = load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0 });
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

describe("parseYaml", () => {
  it.each([
    ["d: Use when: it rains", "Use when: it rains"],
    ["d: ends with a colon:", "ends with a colon:"],
    ["d: 'it's raining'", "it's raining"],
    ["d: 'it's raining", "it's raining"],
    ['d: "never closed', "never closed"],
    ['d: "He said "hi" to me"', 'He said "hi" to me'],
    ['d: "a" and "b"', '"a" and "b"'],
    ["d: *bold* text", "*bold* text"],
    ["d: @mention", "@mention"],
    ["d: `code` first", "`code` first"],
    ["d: %percent", "%percent"],
    ["d: [Beta] thing", "[Beta] thing"],
    ["d: {{name}} thing", "{{name}} thing"],
    ["d: > folded on this line", "folded on this line"],
    ["d: one\n  two: three\n  four", "one two: three four"],
    ["d:no space", "no space"],
    ["d: - dash first", "- dash first"],
    ["d: a\u0007bell", "abell"],
    ["d: !unknown tag", "!unknown tag"],
    ["d: 'the user\\'s thing'", "the user's thing"],
    ["d: 'the user'\\''s thing'", "the user's thing"],
    ['d: "Say \\"hi\\" and match \\d+"', 'Say "hi" and match \\d+'],
    ["d: >-  # a comment\nunindented", "unindented"],
  ])("repairs %j", (text, value) => {
    const { values, problems } = parseYaml(`name: x\n${text}\nlast: y\n`);
    expect(values).toEqual({ name: "x", d: value, last: "y" });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: "yaml-repaired", line: expect.toBeOneOf([2, 3]) });
    expect(problems[0]?.message).toContain("; read as: d: ");
  });

  it("repairs single lines of a nested mapping", () => {
    expect(read("m:\n  a: b: c\n  u: http://x\nn: y\n")).toEqual({ m: { a: "b: c", u: "http://x" }, n: "y" });
    expect(read("t:\n- a: b: c\n- *d\nn: y\n")).toEqual({ t: [{ a: "b: c" }, "*d"], n: "y" });
  });

  it("loses one key, not the text, where nothing can be repaired", () => {
    const { values, problems } = parseYaml('a: x\nm:\n  "b": {"c": \n\n  ]]: : :\nd: y\n');
    expect(values).toMatchObject({ a: "x", d: "y" });
    expect(problems.map((problem) => problem.lost)).toEqual(["m"]);
  });

  it("follows a few aliases and refuses many", () => {
    expect(read("a: &x one\nb: *x\n")).toEqual({ a: "one", b: "one" });
    const many = `a: &x one\nb: [${"*x, ".repeat(21)}*x]\n`;
    expect(read(many)).toEqual({ a: "one", b: expect.stringContaining("*x, *x") });
  });

  it("refuses aliases that form a circle", () => {
    expect(messages("name: x\na: &a [*a]\n")).toHaveLength(1);
    expect(read("name: x\na: &a [*a]\n")).toMatchObject({ name: "x" });
  });

  it("leaves out prose that stands alone below a value, and finds the known keys after it", () => {
    const { values, problems } = parseYaml("d: one: two\n\n<example>\nContext: x\nuser: y\nmodel: z\n");
    expect(values).toEqual({ d: "one: two", model: "z" });
    expect(problems.map(({ line }) => line)).toEqual([1, 3]);
  });

  it("does not take an alias that leads nowhere for text", () => {
    const { values, problems } = parseYaml("a: &t text\nd: *t\nn: @x\n");
    expect(values).toEqual({ a: "text", n: "@x" });
    expect(problems.map(({ lost }) => lost)).toEqual(["d", undefined]);
  });

  it("bounds the time for thousands of broken keys", () => {
    const { values, problems } = parseYaml('user: "a" b\n'.repeat(20_000));
    expect(Object.keys(values ?? {})).toEqual(["user"]);
    expect(problems.length).toBeLessThan(2100);
  });

  it("says that a list or a sentence is no mapping", () => {
    expect(parseYaml("- a\n- b\n")).toEqual({ problems: [] });
    expect(parseYaml("Just a sentence.\n").values).toBeUndefined();
  });

  it("never evaluates anything", () => {
    expect(read('a: !!js/function "function(){ throw 1 }"\nb: c\n')).toMatchObject({ b: "c" });
  });

  it("reads what is YAML as the library does, without a remark", () => {
    let read = 0;
    fc.assert(
      fc.property(yamlTexts, (text) => {
        const value = tryLibrary(text);
        if (value === undefined) return;
        read++;
        expect(parseYaml(text)).toEqual({ values: value, problems: [] });
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  it("neither crashes nor hangs on any text, and every problem has its line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const lines = text.split(/\r\n?|\n/).length;
        for (const { line, column } of parseYaml(text).problems) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
