import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillArguments } from "../src/arguments.ts";

const limit = 100_000;

function fill(body: string, given: string, names: readonly string[] = []): string {
  const filled = fillArguments(body, given, { limit, names });
  return filled.body + filled.ending;
}

describe("fillArguments", () => {
  it.each([
    ["a word for each name, the rest for the last", "a.md 1 2  3", "a.md|1 2  3"],
    ["nothing for a name without a word", "a.md", "a.md|"],
    ["nothing for all when nothing was given", "", "|"],
    ["words in double quotes as one", '"my file.md" 10', "my file.md|10"],
    ["words in single quotes as one, as they stand", "'a \\b \"c' 10", 'a \\b "c|10'],
    ["escaped blanks and quotes as part of a word", 'my\\ file \\"x', 'my file|\\"x'],
    ["escapes in double quotes", '"a \\"b\\" \\\\ \\n" c', 'a "b" \\ \\n|c'],
    ["an open quote as a sign", "it's 10", "it's|10"],
    ["quotes in the middle of a word", 'a"b c"d e', "ab cd|e"],
    ["the rest as it was written, quotes included", 'x "a b"  c\\d ', 'x|"a b"  c\\d'],
    ["an empty quotation as a word", '"" b', "|b"],
    ["a backslash at the end", "a\\", "a\\|"],
  ])("gives %s", (_, given, filled) => {
    expect(fill("$file|$lines", given, ["file", "lines"])).toBe(filled);
  });

  it("fills only whole names, and the longest of them", () => {
    const body =
      "$file $filename $file_x $file2 $\u007bfile} $1 $PATH $$ $file. $file-name $file-x $ARGUMENTS $ARGUMENTS_X";
    expect(fill(body, "A B", ["file", "file-name"])).toBe(
      "A $filename $file_x $file2 $\u007bfile} $1 $PATH $$ A. B A-x A B $ARGUMENTS_X",
    );
  });

  it("leaves out declared names that cannot be slots", () => {
    const names = ["1", "a.b", "ARGUMENTS", "", "[x]", "file", "file"];
    expect(fill("$1 $a.b $[x] $ARGUMENTS|$file", "one two", names)).toBe("$1 $a.b $[x] one two|one two");
  });

  it("takes names of any script", () => {
    expect(fill("$файл $引数 $файлы", "a b", ["файл", "引数"])).toBe("a b $файлы");
  });

  it("is one pass: what was given stays as it is", () => {
    expect(fill("$a $b $ARGUMENTS", "$b $a$&$1$ARGUMENTS", ["a", "b"])).toBe("$b $a$&$1$ARGUMENTS $b $a$&$1$ARGUMENTS");
  });

  it("adds what was given at the end only where there is no slot at all", () => {
    expect(fill("Do it.", "a b", ["file"])).toBe("Do it.\n\nARGUMENTS: a b");
    expect(fill("Do $file.", "a b", ["file"])).toBe("Do a b.");
    expect(fill("Do it.", " \n", ["file"])).toBe("Do it.");
  });

  it("can keep the slots where nothing was given", () => {
    const options = { limit, names: ["file"], empty: "keep" } as const;
    expect(fillArguments("$file $ARGUMENTS", "  ", options)).toEqual({ body: "$file $ARGUMENTS", ending: "" });
    expect(fillArguments("$file", "x", options)).toEqual({ body: "x", ending: "" });
  });

  it("counts every slot against the limit", () => {
    const options = { limit: 10, names: ["a", "b"] };
    expect(fillArguments("$a$b", "12345 67890", options).body).toBe("1234567890");
    expect(() => fillArguments("$a$b$a", "12345 67890", options)).toThrow("too long: 11 characters");
    expect(() => fillArguments("$ARGUMENTS", "12345 67890", options)).toThrow("repeats them 1 times");
  });

  it("never throws below the limit, and touches nothing but slots", () => {
    const piece = fc.constantFrom("$", "$a", "$b", "$ARGUMENTS", "'", '"', "\\", " ", "x", "é", "\n");
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (body, given) => {
        const filled = fillArguments(body, given, { limit, names: ["a", "b"] });
        const without = body.replace(/\$(?:ARGUMENTS|[ab])(?![\p{L}\p{N}_])/gu, "");
        if (without === body) expect(filled.body).toBe(body);
        else expect(filled.ending).toBe("");
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["'", '"', "\\", "\"\\'", "'\\\"", '"\\', " ", "a ", "$a"])("is quick on much of %j", (piece) => {
    const long = piece.repeat(100_000);
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    expect(fillArguments("$n0 $n48", long, { limit: 1e9, names }).ending).toBe("");
    expect(fillArguments(long, "", { limit, names }).ending).toBe("");
  });
});
