import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemorySource, createSkills } from "../src/portable.ts";
import { rootAt } from "./loading.ts";

async function load(texts: Readonly<Record<string, string | Uint8Array>>) {
  const files = Object.entries(texts).map(([name, text]) => [`/s/${name}/SKILL.md`, text]);
  const source = createMemorySource(Object.fromEntries(files));
  const { catalog } = await createSkills({ sources: [{ source, roots: [rootAt("/s")] }] });
  return catalog;
}

/** Pieces that make a careless pattern go back and forth when there are a quarter of a million of them. */
const pieces = [
  " ",
  "\t",
  "#",
  " #",
  "a: ",
  "- ",
  "-",
  "[",
  "{",
  "]",
  '"',
  "'",
  "\\",
  ": ",
  ",",
  ", ",
  "(",
  "&a ",
  "*a ",
  "x",
  "\r",
  "\n",
  "\n ",
  "\n  - ",
  "\n---x",
  "\0",
  "\ufeff",
  "é",
  "? ",
  "| ",
  "> ",
  "!!",
  "%",
  "<<: ",
];
const frames = [
  (text: string) => `---\nname: x\ndescription: a${text}b\n---\n`,
  (text: string) => `---\nname: x\ndescription: d\ntags: a${text}b\n---\n`,
  (text: string) => `---\nname: x\ndescription: "a${text}\nallowed-tools: a${text}b\n---\n`,
  (text: string) => `---\n${text}\nname: x\ndescription: d: e\n---\n`,
  (text: string) => `${text}---\nname: x\n---\n`,
  (text: string) => `---\nname: x\ndescription: d\nhooks:\n  - k: v: w\n    a: ${text}b\u2028c: d: e\n---\n`,
];

describe("hostile files", () => {
  it.each(pieces)("end in a state, without hanging, when they are full of %j", async (piece) => {
    const long = piece.repeat(Math.floor(200_000 / piece.length));
    const texts = Object.fromEntries(frames.map((frame, index) => [`skill-${index}`, frame(long)]));
    const catalog = await load(texts);
    expect(catalog.skills.length + catalog.hidden.length).toBe(frames.length);
  });

  it("cannot make aliases grow beyond what a person would write", async () => {
    const levels = "bcdefghijk"
      .split("")
      .map((name, index) => `${name}: &${name} [*${"abcdefghij"[index]}, *${"abcdefghij"[index]}]`);
    const bomb = `---\nname: x\ndescription: d\na: &a "${"z".repeat(200_000)}"\n${levels.join("\n")}\n---\n`;
    const catalog = await load({ bomb });
    expect(catalog.skills.map((skill) => skill.name)).toEqual(["x"]);
    expect(JSON.stringify(catalog.skills[0]?.frontmatter).length).toBeLessThan(300_000);
    expect(catalog.diagnostics.some((each) => each.message.includes("anchors and aliases are not followed"))).toBe(
      true,
    );
  });

  it("end in a state whatever bytes they hold", async () => {
    const seed = new TextEncoder().encode(
      '---\nname: a\ndescription: "Use when: x"\nmetadata:\n  k: [v, {w: z}]\n---\nbody\n',
    );
    const edits = fc.array(fc.tuple(fc.nat(seed.length), fc.constantFrom("set", "insert", "drop"), fc.nat(255)), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        const bytes = [...seed];
        for (const [at, kind, byte] of list)
          bytes.splice(at, kind === "insert" ? 0 : 1, ...(kind === "drop" ? [] : [byte]));
        const catalog = await load({ a: Uint8Array.from(bytes) });
        expect(catalog.skills.length + catalog.hidden.length).toBe(1);
        for (const { line = 1, column = 1 } of catalog.diagnostics) expect(Math.min(line, column)).toBeGreaterThan(0);
      }),
      { numRuns: 3000 },
    );
  });
});
