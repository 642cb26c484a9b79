import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { codesOf, open, rootAt } from "./loading.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const { catalog } = await open([rootAt(fixtures)]);
const usual = "Does one thing. Use when asked.";

/** What loads from each fixture, and the diagnostics that it gets. */
const loads: Record<string, { name?: string; description?: string; codes?: string[] }> = {
  plain: {},
  "block-literal": { description: "First line.\nSecond line." },
  "block-folded": { description: "Folded over two lines.\nAnd a paragraph." },
  "multi-line-plain": { description: "Goes on over several lines." },
  "multi-line-quoted": { description: "Goes on over several lines." },
  crlf: {},
  "cr-only": {},
  bom: {},
  "leading-blank-lines": {},
  "fence-trailing-spaces": {},
  "fence-at-end-of-file": {},
  comments: {},
  "quoted-keys": { description: "Quoted keys are keys." },
  "non-ascii": {
    name: "übersetzung",
    description: "翻译文件。Überträgt Texte. 日本語もできます 🎌",
    codes: ["name-mismatch 2:1"],
  },
  "exact-text": {},
  "unquoted-colon": { description: "Use when: the user asks for it", codes: ["yaml-repaired 3:22"] },
  tabs: { codes: ["yaml-repaired 5:1"] },
  "stray-quote": { description: 'Says "hello" to people" and more', codes: ["yaml-repaired 3:21"] },
  "open-quote": { description: "It's never closed", codes: ["yaml-repaired 3:18"] },
  "list-description": { description: "Reads files, Writes reports", codes: ["field-type 3:1"] },
  "list-name": { codes: ["field-type 2:1"] },
  "no-space-after-colon": {
    description: "Works all the same",
    codes: ["yaml-repaired 2:6", "yaml-repaired 3:13"],
  },
  "unindented-block": { description: "The text begins in the first column.", codes: ["yaml-repaired 3:1"] },
  "wrapped-to-first-column": { description: "The text goes on in the first column.", codes: ["yaml-repaired 4:1"] },
  brackets: { description: "[Beta] Does one thing", codes: ["yaml-repaired 3:14"] },
  glob: { codes: ["yaml-repaired 4:8"] },
  alias: {},
  "alias-bomb": { codes: ["key-unknown 2:1", ...[3, 4, 5, 6, 7, 8, 9, 10].map((line) => `yaml-repaired ${line}:4`)] },
  "duplicate-other-key": { codes: ["key-duplicate 5:1"] },
  "duplicate-same": { codes: ["key-duplicate 4:1"] },
  "nul-elsewhere": { codes: ["nul-byte 4:10"] },
  "latin-1-elsewhere": { codes: ["encoding 4:12", "key-unknown 4:1"] },
  "null-name": { codes: ["name-missing 2:1"] },
  "missing-name": { codes: ["name-missing 1:1"] },
  "name-mismatch": { name: "another-name", codes: ["name-mismatch 2:1"] },
  Upper_Case: { codes: ["name-invalid 2:1"] },
  "name-too-long": { name: `${"very-".repeat(13)}long`, codes: ["name-too-long 2:1", "name-mismatch 2:1"] },
  "description-too-long": { description: "x".repeat(1025), codes: ["description-too-long 3:1"] },
  "unknown-keys": { codes: ["key-unknown 4:1"] },
  "prototype-keys": { codes: ["key-unknown 4:1"] },
  "json-metadata": {},
  "vendor-fields": { codes: ["yaml-repaired 6:16"] },
  "openai-yaml": {},
  "broken-openai-yaml": { codes: ["openai-yaml"] },
  "long-closing-fence": { codes: ["frontmatter-fence 4:1"] },
  "capital-keys": { codes: ["key-case 2:1", "key-case 3:1"] },
  "prose-below-description": {
    description: "Does one thing. Examples:",
    codes: ["yaml-repaired 3:38", "yaml-repaired 5:1"],
  },
  "cut-by-comment": { description: 'Watches "PR', codes: ["description-cut 3:1"] },
  "indented-keys": { description: "Use when: asked", codes: ["yaml-repaired 3:22"] },
  "escaped-apostrophe": { description: "Keeps the user's text", codes: ["yaml-repaired 3:31"] },
  "at-sign": { description: "@mentions are text", codes: ["yaml-repaired 3:14"] },
  "brace-glob": {},
  "deep-brackets": { codes: ["yaml-repaired 4:11"] },
};

/** What does not load, with the reason's diagnostic. */
const refused: Record<string, string> = {
  "blank-description": "description-missing 3:1",
  "duplicate-name": "key-duplicate 4:1",
  "comment-before-frontmatter": "frontmatter-missing 1:1",
  "description-is-a-comment": "description-missing 3:1",
  "empty-file": "frontmatter-missing 1:1",
  "full-width-colon": "frontmatter-not-a-mapping 2:1",
  "latin-1-description": "encoding 3:17",
  "missing-description": "description-missing 1:1",
  "name-with-line-break": "name-invalid 2:1",
  "no-frontmatter": "frontmatter-missing 1:1",
  "not-a-mapping": "frontmatter-not-a-mapping 2:1",
  "nul-in-description": "nul-byte 3:18",
  "null-description": "description-missing 3:1",
  "other-language": "frontmatter-missing 1:1",
  "prose-as-frontmatter": "frontmatter-not-a-mapping 2:1",
  "toml-fence": "frontmatter-missing 1:1",
  "two-names": "name-invalid 2:1",
  unclosed: "frontmatter-unclosed 1:1",
  "utf-16": "frontmatter-missing 1:1",
};

describe("a fixture folder per defect", () => {
  it.each(Object.entries(loads))("loads %s", (folder, { name = folder, description = usual, codes = [] }) => {
    const path = join(fixtures, folder, "SKILL.md");
    const skill = catalog.skills.find((each) => each.path === path);
    expect({ name: skill?.name, description: skill?.description }).toEqual({ name, description });
    expect(codesOf(catalog, path)).toEqual(codes);
  });

  it.each(Object.entries(refused))("refuses %s with its reason", (folder, code) => {
    const path = join(fixtures, folder, "SKILL.md");
    const hidden = catalog.hidden.find((each) => each.path === path);
    expect(hidden?.state).toBe("invalid");
    expect(codesOf(catalog, path)).toEqual([code]);
    expect(catalog.diagnostics.find((each) => each.path === path)?.message).toBe(hidden?.reason);
  });

  it("does not take a file of another spelling for a skill, and says so", () => {
    const path = join(fixtures, "misspelt", "skill.md");
    expect(catalog.hidden.find((each) => each.path === path)).toMatchObject({ name: "misspelt", state: "invalid" });
    expect(codesOf(catalog, path)).toEqual(["file-name"]);
  });

  it("leaves no fixture without a test", () => {
    expect(readdirSync(fixtures).sort()).toEqual([...Object.keys(loads), ...Object.keys(refused), "misspelt"].sort());
  });

  it("shows the repaired line", () => {
    const path = join(fixtures, "unquoted-colon", "SKILL.md");
    const { message } = catalog.diagnostics.find((each) => each.path === path) ?? {};
    expect(message).toBe('unquoted colon; read as: description: "Use when: the user asks for it"');
  });
});
