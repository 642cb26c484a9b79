import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { skillText } from "../../../test/support/tree.ts";
import { checkTriggers } from "../src/check-triggers.ts";
import type { Triggers } from "../src/fields.ts";
import type { Skill } from "../src/skill.ts";
import { matchTriggers } from "../src/triggers.ts";

async function skillsWith(triggers: Readonly<Record<string, Partial<Triggers>>>): Promise<readonly Skill[]> {
  const files = Object.entries(triggers).map(([name, value]) => {
    return [`${name}/SKILL.md`, skillText(name, undefined, `triggers: ${JSON.stringify(value)}\n`)];
  });
  return (await memorySkills(Object.fromEntries(files))).catalog.skills;
}

async function matched(text: string, triggers: Partial<Triggers>): Promise<string | undefined> {
  const [first] = await matchTriggers(text, await skillsWith({ a: triggers }));
  return first && `${first.by} ${first.match}`;
}

describe("keywords and verbs", () => {
  it.each([
    ["say", "please say hi"],
    ["say", "SAY!"],
    ["pull request", "a Pull\n  Request, please"],
    ["straße", "die STRASSE"],
    ["ＰＤＦ", "a pdf"],
    ["café", "un cafe\u0301 noir"],
    ["ΟΔΟΣ", "η οδος"],
    ["c++", "write C++."],
    ["翻訳", "これを翻訳して"],
    ["pdf", "PDFを結合"],
    ["pdf", "请把pdf合并"],
    ["แปล", "ช่วยแปลหน่อย"],
    ["번역", "번역해 주세요"],
    ["отчёт", "мой отчёт."],
    ["🎌", "a🎌b"],
  ])("find %j in %j", async (keyword, text) => {
    expect(await matched(text, { keywords: [keyword] })).toBe(`keyword ${keyword}`);
    expect(await matched(text, { verbs: [keyword] })).toBe(`verb ${keyword}`);
  });

  it.each([
    ["say", "my essay says_say say2"],
    ["pull request", "pull a request"],
    ["отчёт", "отчёты"],
    ["cafe", "cafe\u0301"],
    ["파일", "프로파일"],
    ["", "anything"],
    [" ", "a b"],
  ])("do not find %j in %j", async (keyword, text) => {
    expect(await matched(text, { keywords: [keyword], verbs: [keyword] })).toBeUndefined();
  });

  it("are not looked for past twenty thousand characters", async () => {
    expect(await matched(`${" ".repeat(20_000)}say`, { verbs: ["say"] })).toBeUndefined();
  });
});

describe("patterns", () => {
  it("match in any case and give the words of the message", async () => {
    expect(await matched("Please FIX the bug", { patterns: ["fix (the|a) bug"] })).toBe("pattern FIX the bug");
  });

  it("are left out where they cannot run, or match nothing", async () => {
    const patterns = ["(", "a(?=b)", "x*", "a".repeat(1001), "(a{30}){30}"];
    expect(await matched("ab x".padEnd(2000, "a"), { patterns })).toBeUndefined();
    expect(await matched("ab", { patterns: [...Array(50).fill("zz"), "ab"] })).toBeUndefined();
  });

  it("cannot hang, and take no time from words", async () => {
    const patterns = ["(a+)+$", "(x+x+)+y", "(.*)*(.*)*=", "(?:a?){150}a{150}b", "((a|b|c){1,20}){1,8}z"];
    const many = Array.from({ length: 50 }, (_, index) => `${patterns[index % 5]}${index}`);
    const hostile = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, { patterns: many }]));
    const skills = await skillsWith({ ...hostile, say: { verbs: ["say"] } });
    const start = performance.now();
    const found = await matchTriggers(`say ${"a".repeat(30_000)}`, skills);
    expect(found.map(({ skill }) => skill.name)).toEqual(["say"]);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("matchTriggers", () => {
  it("names each skill once, by its first match, those with most matches first", async () => {
    const skills = await skillsWith({
      a: { patterns: ["merge"] },
      b: { verbs: ["merge", "split"], keywords: ["merge"] },
      c: { keywords: ["pdf", "merge", "PDF"], patterns: ["pdf"] },
      d: { keywords: ["other"] },
      e: { keywords: ["pdf"] },
    });
    const told = async (most?: number) => {
      return (await matchTriggers("merge the PDF", skills, most)).map(({ skill, by, match }) => [
        skill.name,
        by,
        match,
      ]);
    };
    expect(await told()).toEqual([
      ["c", "keyword", "pdf"],
      ["a", "pattern", "merge"],
      ["b", "keyword", "merge"],
    ]);
    expect(await told(1)).toEqual([["c", "keyword", "pdf"]]);
    expect(await told(0)).toEqual([]);
  });

  it("never throws, and finds only words that are there", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, text, async (message, word) => {
        const fields = { triggers: { keywords: [word], verbs: [], patterns: [word] } };
        const found = await matchTriggers(message, [{ fields } as unknown as Skill]);
        expect(found.length).toBeLessThanOrEqual(1);
        const [whole] = await matchTriggers(`. ${word} .`, [{ fields } as unknown as Skill]);
        if (/[\p{L}\p{N}]/u.test(word)) expect(whole?.by).toBe("keyword");
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["a", " ", "ß", "翻", "a ", "\u0301", "\ud800"])("is quick on much of %j", async (piece) => {
    const words = Array.from({ length: 100 }, (_, index) => `${piece.repeat(90)}b${index}`);
    const keywords = [piece, piece.repeat(100), ...words];
    const skills = await skillsWith(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, { keywords }])));
    const start = performance.now();
    await matchTriggers(piece.repeat(200_000), skills);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("checkTriggers", () => {
  const problems = (...patterns: string[]) => {
    return checkTriggers({ keywords: [], verbs: [], patterns }).map(({ problem }) => problem);
  };

  it.each([
    ["a(?=b)", "RE2, which runs it, cannot look ahead or behind, at character 2"],
    ["(?<!a)b", "RE2, which runs it, cannot look ahead or behind, at character 1"],
    ["(a)\\1", "RE2, which runs it, cannot refer back to a group, at character 4"],
    ["(a", '"(" without ")"'],
    ["a)", '")" without "(", at character 2'],
    ["[a", '"[" without "]", at character 1'],
    ["*a", 'nothing to repeat before "*", at character 1'],
    ["(?i)+", 'nothing to repeat before "+", at character 5'],
    ["a**", 'nothing to repeat before "*", at character 3'],
    ["a\\", "a backslash before nothing, at character 2"],
    ["a".repeat(1001), "it has 1001 characters; at most 1000 are allowed"],
  ])("tells what is wrong with %j", (pattern, problem) => {
    expect(problems(pattern)).toEqual([problem]);
  });

  it.each([
    "(?i)fix (?:the|a) bug",
    "[]a)(]+?",
    "[^]x]*",
    "[[:alpha:](]",
    "\\(\\[\\*\\\\",
    "\\Q(*[\\E+",
    "(?P<n>a)(?<m>b)??",
    "\\p{L}\\pN\\x{41}\\bа",
    "a|b|",
    "^*a{2,3}?",
    "",
  ])("has nothing against %j, which runs", (pattern) => {
    expect(problems(pattern)).toEqual([]);
    expect(() => RE2JS.compile(pattern)).not.toThrow();
  });

  it("tells once that there are too many", () => {
    expect(problems(...Array(60).fill("a"))).toEqual(["only the first 50 of 60 patterns are used"]);
  });

  it("refuses only what the engine refuses", () => {
    const piece = fc.constantFrom(
      ..."()[]{}*+?|^$\\-:!=<>iPQEkpsb12,aé".split(""),
      "(?",
      "[:alpha:]",
      "\\Q",
      "\\E",
      "(?:",
    );
    const pattern = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(pattern, (text) => {
        if (problems(text).length > 0) expect(() => RE2JS.compile(text, RE2JS.CASE_INSENSITIVE), text).toThrow();
      }),
      { numRuns: 10_000 },
    );
  });

  it.each(["(", "[", "\\Q", "[[:", "(?<", "\\", "(?a"])("is quick on much of %j", (piece) => {
    const pattern = piece.repeat(1000).slice(0, 1000);
    expect(checkTriggers({ keywords: [], verbs: [], patterns: Array(50).fill(pattern) }).length).toBeLessThan(51);
  });

  it("is a warning where the triggers stand", async () => {
    const text = skillText("a", undefined, 'version: 1\ntriggers:\n  patterns: ["a(?=b)", "ok"]\n');
    const { catalog } = await memorySkills({ "a/SKILL.md": text });
    expect(catalog.skills).toHaveLength(1);
    expect(catalog.diagnostics).toEqual([
      {
        code: "trigger-pattern",
        severity: "warning",
        path: "/s/a/SKILL.md",
        line: 5,
        column: 1,
        message: 'the pattern "a(?=b)" is not used: RE2, which runs it, cannot look ahead or behind, at character 2',
      },
    ]);
  });
});
