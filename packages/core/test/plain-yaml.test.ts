import fc from "fast-check";
import { FAILSAFE_SCHEMA, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parsePlainYaml } from "../src/plain-yaml.ts";
import { yamlTexts } from "./yaml-texts.ts";

describe("parsePlainYaml", () => {
  it("reads what it accepts as the YAML library does", () => {
    let accepted = 0;
    fc.assert(
      fc.property(yamlTexts, (text) => {
        const values = parsePlainYaml(text);
        if (values === undefined || Object.keys(values).length === 0) return;
        accepted++;
        expect(values).toEqual(load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0 }));
      }),
      { numRuns: 30_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it("neither crashes nor hangs on any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => void parsePlainYaml(text)));
  });

  it.each([
    [
      "name: a\ndescription: Plain text with, commas; and (more) http://x.y\n",
      { name: "a", description: "Plain text with, commas; and (more) http://x.y" },
    ],
    ["a: \"quoted: text # here\"\nb: 'it''s'\n", { a: "quoted: text # here", b: "it's" }],
    ["a: |\n  one\n\n  two\nb: >-\n  three\n  four\n", { a: "one\n\ntwo\n", b: "three four" }],
    ["a: one\n  two\n  three\nb: x\n", { a: "one two three", b: "x" }],
    ['a: "one\n  two"\n', { a: "one two" }],
    ["tags: [a, 'b c', d]\nempty: []\n", { tags: ["a", "b c", "d"], empty: [] }],
    ["tags:\n- a\n- b c\nmeta:\n  x: 1.10\n  y:\n    - z\n", { tags: ["a", "b c"], meta: { x: "1.10", y: ["z"] } }],
    ['m: {"a":{"b":["c","d"]},"e":true}\n', { m: { a: { b: ["c", "d"] }, e: "true" } }],
    ["# comment\na: x\n\n  # another\nb:\n", { a: "x", b: "" }],
  ])("accepts the usual form %j", (text, values) => {
    expect(parsePlainYaml(text)).toEqual(values);
  });

  it.each([
    "a: b: c\n",
    "a: x # comment\n",
    "a: *x\n",
    "a: &x y\n",
    "a: !!str x\n",
    "a: 1\na: 2\n",
    "a: 'x' y\n",
    "\ta: b\n",
    "a: @x\n",
    "- a\n",
    "? a\n: b\n",
    "__proto__: x\n",
    'a: "\\x41"\n',
  ])("leaves %j to the library", (text) => {
    expect(parsePlainYaml(text)).toBeUndefined();
  });
});
