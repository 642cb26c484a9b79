import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { findMentions } from "../src/mention.ts";
import type { Skill } from "../src/skill.ts";

const both = { slash: true, dollar: true };
let skills: readonly Skill[];

beforeAll(async () => {
  const texts = ["x", "pdf", "pdf-forms", "übersetzung", "翻訳", "50", "my_skill"].map((name) => [
    `${name}/SKILL.md`,
    skillText(name),
  ]);
  const loaded = await memorySkills({
    ...Object.fromEntries(texts),
    "hidden/SKILL.md": skillText("hidden", "Hides. Use never.", "user-invocable: false\n"),
    "people/SKILL.md": skillText("people", "For people. Use when asked.", "disable-model-invocation: true\n"),
  });
  const other = await memorySkills({ "twin/SKILL.md": skillText("twin") });
  const another = await memorySkills({ "b/twin/SKILL.md": skillText("twin") });
  skills = [...loaded.catalog.skills, ...other.catalog.skills, ...another.catalog.skills];
});

/** What was called, each as it stands in the message, and the message that is left. */
function calls(text: string, style = both): readonly string[] {
  const found = findMentions(text, skills, style);
  return [...found.mentions.map(({ start, end }) => text.slice(start, end)), found.text];
}

describe("a slash", () => {
  it.each([
    ["/x y", ["/x", "y"]],
    ["/x\ny", ["/x", "y"]],
    ["/x", ["/x", ""]],
    ["/x \n\t y z ", ["/x", "y z "]],
    ["/people", ["/people", ""]],
    ["/my_skill a", ["/my_skill", "a"]],
    ["/x $pdf", ["/x", "$pdf", "$pdf"]],
  ])("calls a skill at the start: %j", (text, found) => {
    expect(calls(text)).toEqual(found);
  });

  it.each([" /x", "/x,y", "/usr/bin", "/unknown a", "/", "//x", "a /x", "/hidden", "/X", "\\/unknown", "/x/"])(
    "is text in %j",
    (text) => {
      expect(calls(text)).toEqual([text]);
    },
  );

  it("is text after a backslash, which goes", () => {
    expect(calls("\\/x y")).toEqual(["/x y"]);
    expect(calls("\\/x y", { slash: false, dollar: true })).toEqual(["\\/x y"]);
  });
});

describe("a dollar", () => {
  it.each([
    ["use $pdf, please", "$pdf"],
    ["$pdf-forms.", "$pdf-forms"],
    ["$pdf-", "$pdf"],
    ["($pdf)", "$pdf"],
    ["**$pdf**", "$pdf"],
    ["$u\u0308bersetzung", "$u\u0308bersetzung"],
    ["$翻訳、", "$翻訳"],
    ["$pdfを使って", "$pdf"],
    ["$pdf를", "$pdf"],
    ["$my_skill", "$my_skill"],
    ["$/s/pdf/SKILL.md", "$/s/pdf/SKILL.md"],
    ["see $/s/pdf/SKILL.md.", "$/s/pdf/SKILL.md"],
    ["($/s/pdf), a", "$/s/pdf"],
    ["$/s/pdf/ a", "$/s/pdf/"],
    ["$/s/pdf/SKILL.mdを", "$/s/pdf/SKILL.md"],
    ["[$pdf](/s/pdf/SKILL.md)", "[$pdf](/s/pdf/SKILL.md)"],
    ["[$other](</s/pdf/SKILL.md>) a", "[$other](</s/pdf/SKILL.md>)"],
    ["    $pdf", "$pdf"],
    ["`a` $pdf `b`", "$pdf"],
    ["` $pdf", "$pdf"],
    ["\\`$pdf`", "$pdf"],
    ["```\na\n```\n$pdf", "$pdf"],
    ["` a\n\n$pdf `", "$pdf"],
    ["[$pdf]", "$pdf"],
  ])("calls a skill in %j", (text, found) => {
    expect(calls(text)).toEqual([found, text]);
  });

  it.each([
    "$50",
    "$PATH $HOME $\u007bx} $(x) $ x $",
    "a$pdf 1$pdf _$pdf $$pdf é$pdf",
    "$pdfs $pdf_x $PDF $unknown $hidden",
    "$翻訳して",
    "`$pdf`",
    "`` ` $pdf ``",
    "`a\n$pdf`",
    "```\n$pdf\n```",
    "~~~ js\n$pdf\n```\n$pdf\n~~~",
    "- ```\n  $pdf\n  ```",
    "```\n$pdf",
    "$/x",
    "$/s/pdf/SKILL.mdx $/s/pdfs $/s",
    "[$pdf](https://example.com) [$pdf](/s/none)",
    "\\$unknown \\`x\\`",
  ])("is text in %j", (text) => {
    expect(calls(text)).toEqual([text]);
  });

  it("is text after a backslash, which goes", () => {
    expect(calls("a \\$pdf \\$PATH `\\$pdf` $x")).toEqual(["$x", "a $pdf \\$PATH `\\$pdf` $x"]);
  });

  it("calls nothing where the way is off", () => {
    expect(calls("/x $pdf", { slash: true, dollar: false })).toEqual(["/x", "$pdf"]);
    expect(calls("/x $pdf", { slash: false, dollar: true })).toEqual(["$pdf", "/x $pdf"]);
  });
});

describe("a name that two skills have", () => {
  it("is never guessed", () => {
    const [slash, dollar] = findMentions("/twin $twin", skills, both).mentions;
    for (const mention of [slash, dollar]) {
      expect(mention?.skill).toBeUndefined();
      expect(mention?.candidates.map((skill) => skill.path)).toEqual(["/s/twin/SKILL.md", "/s/b/twin/SKILL.md"]);
    }
  });

  it("is settled by a path", () => {
    const { mentions } = findMentions("$/s/b/twin and [$twin](/s/twin/SKILL.md)", skills, both);
    expect(mentions.map(({ skill, candidates }) => [skill?.path, candidates])).toEqual([
      ["/s/b/twin/SKILL.md", []],
      ["/s/twin/SKILL.md", []],
    ]);
  });
});

describe("any message", () => {
  const piece = fc.constantFrom(
    "$",
    "/",
    "\\",
    "`",
    "```",
    "~~~",
    "\n",
    " ",
    "[",
    "](",
    ")",
    "-",
    "$x",
    "x",
    "/s/x",
    "é",
    "\ud800",
  );
  const message = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

  it("stays as it is where it has no name", () => {
    const nameless = fc
      .oneof(fc.string({ unit: "binary" }), message)
      .map((text) => text.replace(/[x5翻pütm]|\p{M}/gu, "q"));
    fc.assert(
      fc.property(nameless, (text) => {
        expect(findMentions(text, skills, both)).toEqual({ mentions: [], text });
      }),
      { numRuns: 2000 },
    );
  });

  it("has its calls in order, where they say, and loses only slashes and backslashes", () => {
    fc.assert(
      fc.property(message, (text) => {
        const found = findMentions(text, skills, both);
        let before = 0;
        for (const { start, end, name, kind } of found.mentions) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(text.slice(start, end)).toContain(kind === "slash" ? `/${name}` : `$${name}`);
          before = end;
        }
        const isSlash = found.mentions[0]?.kind === "slash";
        const rest = isSlash ? text.slice(found.mentions[0]?.end).trimStart() : text;
        expect(found.text.replaceAll("\\", "")).toBe(rest.replaceAll("\\", ""));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    "$",
    "/",
    "`",
    "$/",
    "$x",
    "\\$x",
    "[$x](",
    "[$a](b",
    "` `` ",
    "\\`",
    "$a-",
    "~~~\n",
    "```\n$x\n",
    "> ",
    "-",
    "$é",
  ])("takes time as it is long: %j", (long) => {
    const time = (count: number) => {
      const text = long.repeat(count);
      const start = performance.now();
      findMentions(text, skills, both);
      findMentions(`$${text}`, skills, both);
      return performance.now() - start;
    };
    time(1000);
    // Twenty times the length; quadratic time would be four hundred times as much.
    expect(time(100_000)).toBeLessThan(100 * Math.max(5, time(5000)));
  });
});
