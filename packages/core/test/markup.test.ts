import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defuseMarkup, escapeMarkup, unescapeMarkup } from "../src/markup.ts";

describe("escapeMarkup", () => {
  it("leaves nothing that opens, closes or quotes", () => {
    expect(escapeMarkup('</name><skill a="b">&amp;')).toBe("&lt;/name&gt;&lt;skill a=&quot;b&quot;&gt;&amp;amp;");
  });

  it("takes out what controls a terminal, hides text or turns it around, and keeps emoji and line breaks", () => {
    expect(escapeMarkup("a\u0000\u001b[31m\u202e\u2066\u200b\u{e0041}b\n\tc 👩\u200d💻 ❤\ufe0f")).toBe(
      "a[31mb\n\tc 👩\u200d💻 ❤\ufe0f",
    );
  });

  it("is undone by unescapeMarkup for every text without hidden characters", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("&lt;", "&amp;lt;", "<b>", '"'), (text, markup) => {
        const visible = (text + markup).replace(/[\p{Cc}]/gu, "");
        expect(unescapeMarkup(escapeMarkup(visible))).toBe(visible);
      }),
    );
  });
});

describe("defuseMarkup", () => {
  it("keeps a text's own markup and takes the edge off the elements that wrap it", () => {
    const text =
      "<b>x</b> </skill_content> < / SKILL_CONTENT > <skill_content name='y'> <skill_contents> <file>z</file>";
    expect(defuseMarkup(text, ["skill_content", "file"])).toBe(
      "<b>x</b> &lt;/skill_content> &lt; / SKILL_CONTENT > &lt;skill_content name='y'> <skill_contents> &lt;file>z&lt;/file>",
    );
  });

  it("is not fooled by what nobody can see", () => {
    expect(defuseMarkup("<\u200b/skill\u200b_content>", ["skill_content"])).toBe("&lt;/skill_content>");
    expect(defuseMarkup("<\u200d\u202e/skill\u202e\u200c_content>", ["skill_content"])).toBe("&lt;/skill_content>");
    expect(defuseMarkup("<\u00a0\u200d/skill_content>", ["skill_content"])).toMatch(/^&lt;/);
  });

  it("takes no longer than its text is long", () => {
    // Minutes, if the blanks were matched in every way.
    const text = "< / ".repeat(50_000) + "<".padEnd(200_000);
    expect(defuseMarkup(text, ["skill_content"])).toBe(text);
  });
});
