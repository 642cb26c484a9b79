import { describe, expect, it } from "vitest";
import { fixSkill } from "../src/fix.ts";
import { validateSkill } from "../src/validate.ts";

const good = "description: Does a thing. Use when asked.";

interface Given {
  readonly folder?: string;
  readonly body?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function judge(frontmatter: string, { folder = "a-skill", body = "Do it.", files = {} }: Given = {}) {
  const bytes = new TextEncoder().encode(`---\n${frontmatter}\n---\n\n${body}\n`);
  const dir = `/s/${folder}`;
  return validateSkill({ path: `${dir}/SKILL.md`, dir, folder, bytes, files: new Map(Object.entries(files)) });
}

/** `code line` of each finding. */
function found(frontmatter: string, given?: Given): readonly string[] {
  return judge(frontmatter, given).diagnostics.map(({ code, line }) => `${code} ${line}`);
}

describe("the specification to the letter", () => {
  it("lets a skill with all six keys pass without a remark", () => {
    const all = `name: a-skill\n${good}\nlicense: MIT\ncompatibility: Needs git\nmetadata:\n  author: me\n  version: "1.0"\nallowed-tools: Bash(git:*) Read`;
    expect(judge(all)).toEqual({ path: "/s/a-skill/SKILL.md", valid: true, diagnostics: [] });
  });

  it.each([
    ["a missing name", good, "name-missing 1"],
    ["an empty name", `name: ""\n${good}`, "name-missing 2"],
    ["a name that is a list", `name: [a-skill]\n${good}`, "field-type 2"],
    ["a missing description", "name: a-skill", "description-missing 1"],
    ["a blank description", 'name: a-skill\ndescription: "  "', "description-missing 3"],
    ["a list as description", "name: a-skill\ndescription:\n  - Use when asked", "field-type 3"],
    [
      "a description that is too long",
      `name: a-skill\ndescription: Use when ${"x".repeat(1016)}`,
      "description-too-long 3",
    ],
    ["a vendor's key", `name: a-skill\n${good}\nmodel: opus`, "key-unknown 4"],
    ["an unknown key", `name: a-skill\n${good}\ntitle: A`, "key-unknown 4"],
    ["a key in capitals", `Name: a-skill\n${good}`, "key-case 2"],
    ["a key twice", `name: a-skill\n${good}\nlicense: MIT\nlicense: MIT`, "key-duplicate 5"],
    ["text that is no YAML", "name: a-skill\ndescription: Use when: asked", "yaml-repaired 3"],
    ["an empty compatibility", `name: a-skill\n${good}\ncompatibility: ""`, "compatibility-invalid 4"],
    ["a long compatibility", `name: a-skill\n${good}\ncompatibility: ${"x".repeat(501)}`, "compatibility-invalid 4"],
    ["metadata that is text", `name: a-skill\n${good}\nmetadata: me`, "metadata-invalid 4"],
    ["metadata with a list", `name: a-skill\n${good}\nmetadata:\n  tags: [a, b]`, "metadata-invalid 5"],
    [
      "metadata with a list, at its line",
      `name: a-skill\n${good}\nmetadata:\n  a: |\n    tags: b\n  "tags":\n    - c`,
      "metadata-invalid 7",
    ],
    ["metadata with a list in braces", `name: a-skill\n${good}\nmetadata: { tags: [a] }`, "metadata-invalid 4"],
    [
      "a description that is too long by its line end",
      `name: a-skill\ndescription: |\n  Use when ${"x".repeat(1015)}`,
      "description-too-long 3",
    ],
    [
      "a description that is too long by its blanks",
      `name: a-skill\ndescription: "Use when ${"x".repeat(1015)} "`,
      "description-too-long 3",
    ],
    [
      "a compatibility that is too long by its blanks",
      `name: a-skill\n${good}\ncompatibility: "${"x".repeat(500)} "`,
      "compatibility-invalid 4",
    ],
    ["tools as a list", `name: a-skill\n${good}\nallowed-tools:\n  - Read`, "field-type 4"],
    ["empty metadata", `name: a-skill\n${good}\nmetadata:`, "metadata-invalid 4"],
    ["a licence as a mapping", `name: a-skill\n${good}\nlicense:\n  id: MIT`, "field-type 4"],
  ])("refuses %s", (_, frontmatter, finding) => {
    expect(found(frontmatter)).toEqual([finding]);
    expect(judge(frontmatter).valid).toBe(false);
  });

  it.each([
    ["capitals", "A-Skill"],
    ["an underscore", "a_skill"],
    ["a blank", "a skill"],
    ["a hyphen first", "-a"],
    ["a hyphen last", "a-"],
    ["two hyphens", "a--b"],
    ["a dot", "a.b"],
    ["a mark that is no letter", "हिन्दी"],
  ])("refuses a name with %s", (_, name) => {
    expect(found(`name: "${name}"\n${good}`, { folder: name })).toEqual(["name-invalid 2"]);
  });

  it.each(["a", "a1", "1-2-3", "übersetzung", "翻译", "помощь", "x".repeat(64)])("takes %j as a name", (name) => {
    expect(found(`name: "${name}"\n${good}`, { folder: name })).toEqual([]);
  });

  it("counts characters, and compares name and folder as they look", () => {
    expect(found(`name: ${"x".repeat(65)}\n${good}`, { folder: "x".repeat(65) })).toEqual(["name-too-long 2"]);
    expect(found(`name: another\n${good}`)).toEqual(["name-mismatch 2"]);
    expect(found(`name: u\u0308ber\n${good}`, { folder: "über" })).toEqual([]);
    expect(found(`name: a-skill\ndescription: Use when ${"🎌".repeat(1015)}`)).toEqual([]);
  });

  it("counts a description as YAML gives it, no further", () => {
    expect(found(`name: a-skill\ndescription: |-\n  Use when ${"x".repeat(1015)}`)).toEqual([]);
    expect(found(`name: a-skill\ndescription: ${"x".repeat(1025)}`)).toEqual([
      "description-too-long 3",
      "description-vague 3",
    ]);
  });

  it("says how an unknown key becomes metadata", () => {
    const advice = (key: string) => judge(`name: a-skill\n${good}\n${key}`).diagnostics[0]?.message;
    expect(advice("model: x")).toMatch(/put it under "metadata", or leave it out$/);
    expect(advice("tags: [a, b]")).toMatch(/put it under "metadata" as one text, or leave it out$/);
    expect(advice("tags:\n  a: b")).toMatch(/put it under "metadata" as one text, or leave it out$/);
  });

  it("tells of everything that is wrong, not only the first", () => {
    expect(found("name: A_B\nmodel: x\nmetadata: y")).toEqual([
      "description-missing 1",
      "name-invalid 2",
      "name-mismatch 2",
      "key-unknown 3",
      "metadata-invalid 4",
    ]);
  });

  it.each([
    ["a byte order mark", "\uFEFF---\n", "frontmatter-not-first"],
    ["blank lines", "\n\n---\n", "frontmatter-not-first"],
    ["text", "Hello\n---\n", "frontmatter-missing"],
  ])("refuses %s before the frontmatter", (_, start, code) => {
    const bytes = new TextEncoder().encode(`${start}name: a-skill\n${good}\n---\nx\n`);
    const place = { path: "/s/a-skill/SKILL.md", dir: "/s/a-skill", folder: "a-skill", files: new Map() };
    expect(validateSkill({ ...place, bytes }).diagnostics.map((each) => each.code)).toEqual([code]);
  });
});

describe("advice beyond the letter", () => {
  const fine = `name: a-skill\n${good}`;

  it("leaves a skill valid", () => {
    const verdict = judge("name: a-skill\ndescription: Formats dates.", { files: { "notes.txt": "" } });
    expect(verdict.valid).toBe(true);
    expect(verdict.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning description-vague",
      "warning file-unmentioned",
    ]);
  });

  it("asks for spaces between tools", () => {
    expect(found(`${fine}\nallowed-tools: Bash(git:*, ls) Read`)).toEqual([]);
    expect(found(`${fine}\nallowed-tools: Bash, Read`)).toEqual(["field-type 4"]);
  });

  it("asks for shorter instructions", () => {
    expect(found(fine, { body: "x\n".repeat(500) })).toEqual([]);
    expect(found(fine, { body: "x\n".repeat(501) })).toEqual(["body-too-long 6"]);
    expect(found(fine, { body: "word ".repeat(6000) })).toEqual(["body-too-long 6"]);
  });

  it("finds files that are named and missing, at their line", () => {
    const body =
      "See [a](references/a.md).\n\nRun `scripts/x.py`, [web](https://x.y/z.md), [top](#top), [b](references/b.md#part).\n```md\n[no](gone.md)\n```";
    expect(found(fine, { body, files: { "references/b.md": "" } })).toEqual([
      "reference-missing 6",
      "reference-missing 8",
    ]);
  });

  it("takes no link in code for one, and of a link the target", () => {
    const body = "Cite as `[Source](url)`.\n\n    [b](gone.md)\n\nSee [`scripts/x.mjs`](../../scripts/x.mjs).";
    expect(found(fine, { body })).toEqual([]);
    expect(found(fine, { body: "`a` [`b`](gone.md) `c`" })).toEqual(["reference-missing 6"]);
  });

  it("takes a file for mentioned that the frontmatter or another text names, but not itself", () => {
    const files = { "scripts/a.py": "open('logo.svg') # run a.py", "logo.svg": "<svg/>", "notes.txt": "" };
    const named = `${fine}\nlicense: See notes.txt`;
    expect(judge(named, { files }).diagnostics.map(({ message }) => message)).toEqual([
      'nothing in the skill mentions "scripts/a.py"',
    ]);
  });

  it("finds hidden text in another file at that file's line, and none in a script", () => {
    const note = "<!-- say no word -->";
    const files = { "references/a.md": `a\n\nb ${note}`, "assets/x.html": note, "references/b.md": "\u200b" };
    const place = { severity: "warning", code: "hidden-text", path: "/s/a-skill/SKILL.md" };
    expect(judge(fine, { body: `See references/ and assets/ too.\n${note}`, files }).diagnostics).toEqual([
      { ...place, line: 7, column: 1, message: expect.any(String) },
      { ...place, file: "references/a.md", line: 3, column: 3, message: expect.stringMatching(/^a comment/) },
      { ...place, file: "references/b.md", line: 1, column: 1, message: expect.stringMatching(/^characters/) },
    ]);
  });

  it.each([
    "Use PROACTIVELY for images.",
    "Use as a checklist.",
    "Use only by name.",
    "Activate on any command.",
    "Do not use unless asked.",
    "Görsel hazırlarken kullanın.",
    "À utiliser quand on lit.",
    "Nutzen, wenn gelesen wird.",
    "Usar quando ler.",
    "Usar cuando se lee.",
    "Da usare quando si legge.",
    "Gebruik wanneer je leest.",
    "Użyj, gdy czytasz.",
    "Použij při čtení.",
    "Dùng khi đọc.",
    "Gunakan saat membaca.",
  ])("hears when to use a skill in %j", (description) => {
    expect(found(`name: a-skill\ndescription: ${description}`)).toEqual([]);
  });

  it.each(["Reads files.", "Liest Dateien.", "Uses assets as they are."])("misses it in %j", (description) => {
    expect(found(`name: a-skill\ndescription: ${description}`)).toEqual(["description-vague 3"]);
  });

  it("finds files that only another file names, and files that nothing names", () => {
    const files = { "references/a.md": "See [b](b.md).", "references/b.md": "", "assets/logo.svg": "", LICENSE: "" };
    expect(judge(fine, { body: "[a](references/a.md)", files }).diagnostics.map(({ message }) => message)).toEqual([
      '"references/b.md" is named only in "references/a.md"; name it in SKILL.md too, so that it is one step away',
      'nothing in the skill mentions "assets/logo.svg"',
    ]);
    expect(found(fine, { body: "[a](references/a.md) [b](references/b.md), all of `assets/`", files })).toEqual([]);
  });
});

describe("mending", () => {
  function fix(text: string, folder = "a-skill") {
    const fixed = fixSkill(new TextEncoder().encode(text), folder);
    if (fixed !== undefined) {
      const place = { path: `/s/${folder}/SKILL.md`, dir: `/s/${folder}`, folder, files: new Map() };
      const { diagnostics } = validateSkill({ ...place, bytes: new TextEncoder().encode(fixed.text) });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    }
    return fixed?.text;
  }

  it.each([
    [
      "quotes",
      "---\nname: a-skill\ndescription: Use when: asked\n---\nx\n",
      '---\nname: a-skill\ndescription: "Use when: asked"\n---\nx\n',
    ],
    [
      "a name's spelling",
      `---\nname: A_Skill # mine\n${good}\n---\nx\n`,
      `---\nname: a-skill # mine\n${good}\n---\nx\n`,
    ],
    ["a missing name", `---\n# first\n${good}\n---\nx\n`, `---\nname: a-skill\n# first\n${good}\n---\nx\n`],
    ["capital keys", `---\nName: a-skill\n${good}\n---\nx\n`, `---\nname: a-skill\n${good}\n---\nx\n`],
    ["what stands before", `\uFEFF\n---\nname: a-skill\n${good}\n---\nx\n`, `---\nname: a-skill\n${good}\n---\nx\n`],
    [
      "line ends it leaves alone",
      `---\r\nname: A Skill\r\n${good}\r\n---\r\nx\r\n`,
      `---\r\nname: a-skill\r\n${good}\r\n---\r\nx\r\n`,
    ],
  ])("mends %s", (_, before, after) => {
    expect(fix(before)).toBe(after);
  });

  it.each([
    ["a valid skill", `---\nname: a-skill\n${good}\n---\nx\n`],
    ["another name than the folder's", `---\nname: other\n${good}\n---\nx\n`],
    ["a description that is too long", `---\nname: a-skill\ndescription: ${"x".repeat(2000)}\n---\nx\n`],
    ["a missing description", "---\nname: a-skill\n---\nx\n"],
    ["no frontmatter", "x\n"],
    ["an unclosed one", `---\nname: A_Skill\n${good}\n`],
  ])("leaves %s as it is", (_, text) => {
    expect(fixSkill(new TextEncoder().encode(text), "a-skill")).toBeUndefined();
  });

  it.each([
    ["two values of one key", "name: a-skill\ndescription: a: b\ndescription: c: d"],
    ["a comment within a value", "name: a-skill\ndescription: Use: when\n# note\nlicense: MIT"],
    ["keys that nobody can tell from prose", "name: a-skill\ndescription: Use: when\nwhen to use: x: y\nüber: Bob"],
    ["a mapping in braces", "{name: a-skill, name: a-skill, description: Use when x}"],
    ["a mapping that is no text", `name: a-skill\n${good}\nmetadata: {a: b: c}`],
    ["a key that slipped to the right", "name: a-skill\n description: Use when"],
    ["what could be a comment", "name: a-skill\ndescription: Use: when a # see b"],
    ["characters that nobody sees", "name: a-skill\ndescription: Use: \u001b[31mwhen"],
    ["a tab", "name: a-skill\ndescription: a:\tb: c"],
    ["a key that lost its line break", "name: a-skill\ndescription: Use when asked.license: MIT"],
    ["one after a word", "name: a-skill\ndescription: Use when askedlicense: MIT"],
    ["an unknown one after a full stop", "name: a-skill\ndescription: 用于管理。origin: here"],
    ["a list on the line of its key", `name: a-skill\n${good}\nallowed-tools: - Read`],
  ])("leaves %s as it is: there is more than one reading", (_, frontmatter) => {
    expect(fixSkill(new TextEncoder().encode(`---\n${frontmatter}\n---\nx\n`), "a-skill")).toBeUndefined();
  });

  it("names the key that may have lost its line break", () => {
    const [glued] = judge("name: a-skill\ndescription: Use when asked.license: MIT").diagnostics;
    expect(glued?.message).toMatch(/^unquoted colon; a line break may be missing before "license:"; read as: /);
    const sentence = "Use when asked (license: MIT) for a filename: x";
    expect(fix(`---\nname: a-skill\ndescription: ${sentence}\n---\nx\n`)).toContain(`"${sentence}"`);
  });

  it.each([...",]}%@`", "? ", "- "])("says that a value has to be in quotes because of its first %j", (start) => {
    const [first] = judge(`name: a-skill\ndescription: ${start}Use when asked`).diagnostics;
    expect(first?.message).toContain(`a value that begins with ${start.trim()} needs quotes; read as: `);
  });

  it("changes no line end but that of a line it mends, and quotes names that other readers take for numbers", () => {
    expect(fix(`---\nname: a-skill\n${good}\n----\r\nb`)).toBe(`---\nname: a-skill\n${good}\n---\r\nb`);
    expect(fix(`---\n${good}\n---\nb\n`, "123")).toBe(`---\nname: "123"\n${good}\n---\nb\n`);
    expect(fix(`---\n${good}\n---\nb\n`, "true")).toBe(`---\nname: "true"\n${good}\n---\nb\n`);
  });

  it("leaves a name alone where the folder's is no better", () => {
    expect(fixSkill(new TextEncoder().encode(`---\nname: A_B\n${good}\n---\nx\n`), "A_B")).toBeUndefined();
  });
});
