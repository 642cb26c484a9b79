import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitExclusions } from "../../src/search/exclusions.ts";
import { translateWords } from "../../src/search/glossary.ts";
import { Vocabulary } from "../../src/search/vocabulary.ts";
import { readWords, wordKey } from "../../src/search/words.ts";

/** Words with a stroke between clauses, then the variants. */
function cut(text: string): string {
  const words: string[] = [];
  const variants: string[] = [];
  readWords(text, {
    word: (word) => words.push(word),
    variant: (word) => variants.push(word),
    gap: () => words.push("|"),
  });
  return [words.join(" "), ...(variants.length > 0 ? [variants.join(" ")] : [])].join(" + ");
}

describe("words", () => {
  it.each([
    ["Merge PDF files.", "merge pdf files |"],
    ["pdfForms", "pdfforms + pdf forms"],
    ["PDFForms and PDFs", "pdfforms and pdfs + pdf forms"],
    ["pdf-forms", "pdf forms + pdfforms"],
    ["snake_case_name", "snake case name"],
    ["C++, C# and .NET 9", "c++ | c# and .net 9"],
    ["Node.js", "node js"],
    ["one, two; (three)", "one | two | | three |"],
    ["合并文件", "合并 并文 文件 + 合 并 文 件"],
    ["請求書をスキャンする", "請求 求書 スキャン + 請 求 書 スキ キャ ャン"],
    ["설치해줘", "설치 치해 해줘 + 설 치 해 줘"],
    ["ไฟล์เอกสาร", "ไฟล์ เอกสาร"],
    ["", ""],
  ])("cuts %s", (text, words) => {
    expect(cut(text)).toBe(words);
  });

  it.each([
    ["merging", "merg"],
    ["merges", "merg"],
    ["résumé", wordKey("resume")],
    ["dotnet", ".net"],
    ["cpp", "c++"],
    ["todo", "todo"],
    ["bin", "bin"],
    ["the", undefined],
    ["when", undefined],
    ["的", undefined],
  ])("compares %s by what it means", (word, key) => {
    expect(wordKey(word)).toBe(key);
  });

  it("takes words where they stand for the same as words on their own", () => {
    const vocabulary = new Vocabulary();
    const read = (text: string) => vocabulary.read(text, "words").flow.map((term) => vocabulary.keyOf(term));
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,12}$/)), (words) => {
        expect(read(words.join(" ")).filter(Boolean)).toEqual(
          words.flatMap((word) => wordKey(word.toLowerCase()) ?? []),
        );
      }),
    );
  });

  it("reads any text to its end", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(typeof cut(text)).toBe("string");
      }),
    );
  });
});

describe("exclusions", () => {
  it.each([
    ["Fills forms.", "Fills forms.", ""],
    ["Fills forms. Do not use for merging.", "Fills forms.", " for merging."],
    ["Reviews code, not for writing it.", "Reviews code,", " writing it."],
    ["Plans. For audits, see seo-audit.", "Plans.", "For audits, see seo-audit."],
    ["DO NOT USE FOR: deploying, security audits", "", " FOR: deploying, security audits"],
    ["处理表格。不要用于合并。", "处理表格。", "于合并。"],
    ["Use when a test does not pass.", "Use when a test does not pass.", ""],
  ])("tells in %j what it is not for", (text, uses, exclusions) => {
    const said = splitExclusions(text);
    expect({ uses: said.uses.trim(), exclusions: said.exclusions }).toEqual({ uses, exclusions });
  });
});

describe("the glossary", () => {
  it("takes the longest word", () => {
    expect(translateWords("画流程图，优化流程")).toEqual(["flowchart", "diagram", "optimize", "workflow", "process"]);
    expect(translateWords("plain text")).toEqual([]);
  });
});
