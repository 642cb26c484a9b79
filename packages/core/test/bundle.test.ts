import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { bundleSkills, createMemorySource, createSkills, type MemoryFiles, type Source } from "../src/index.ts";
import { open, rootAt } from "./loading.ts";

/** What whoever imports the module gets. */
async function load(text: string): Promise<{ files: Record<string, string | Uint8Array>; roots: unknown }> {
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);
}

async function openMemory(files: MemoryFiles, ...roots: readonly string[]) {
  const source = createMemorySource(files);
  return createSkills({ sources: [{ source, roots: roots.map((path) => rootAt(path)) }] });
}

function toBytes(content: string | Uint8Array | undefined): number[] {
  return [...(typeof content === "string" ? new TextEncoder().encode(content) : (content ?? []))];
}

describe("a bundle", () => {
  it("is a module with the files by path and a root, and imports nothing", async () => {
    const skills = await openMemory(
      { "/own/b/SKILL.md": skillText("b"), "/own/b/x.bin": Uint8Array.of(0, 255) },
      "/own",
    );
    const { text, files } = await bundleSkills(skills, skills.catalog.skills);
    expect({ text, files }).toEqual({
      files: 2,
      text: `// Skills in one module, written by \`skillholm bundle\`. Do not edit it: write it anew.

export const files = {
  "/skills/b/SKILL.md": "---\\nname: b\\ndescription: Does b. Use when asked.\\n---\\n\\n# b\\n",
  "/skills/b/x.bin": bytes("AP8="),
};

export const roots = /** @type {const} */ ([{ path: "/skills", scope: "system", trusted: true, writable: false, links: "inside" }]);

function bytes(base64) {
  const text = atob(base64);
  const content = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) content[at] = text.charCodeAt(at);
  return content;
}
`,
    });
    expect(await load(text)).toMatchObject({
      files: { "/skills/b/x.bin": Uint8Array.of(0, 255) },
      roots: [{ path: "/skills", scope: "system", trusted: true, writable: false, links: "inside" }],
    });
  });

  it("has no function that nobody calls, and types where they are asked for", async () => {
    const skills = await openMemory({ "/own/b/SKILL.md": skillText("b") }, "/own");
    const { text } = await bundleSkills(skills, skills.catalog.skills, { language: "typescript" });
    expect(text).not.toContain("bytes(");
    expect(text).toContain("export const files: Readonly<Record<string, string | Uint8Array>> = {\n");
    expect(text).toContain('links: "inside" }] as const;\n');
  });

  it.each([
    ["the end of a script", "a </script><!-- <SCRIPT> -->"],
    ["separators of lines", "a\u2028b\u2029c\r\nd\re"],
    ["quotes, backslashes and templates", `"'\`\\ $\{x} */ // \\u0041`],
    ["a byte order mark", "\ufefftext"],
    ["what nobody sees", "a\u200b\u202e\u2066\u{e0041}\u0085\u007f\u001b[31mb"],
    ["emoji and letters beyond the first plane", "👩‍💻 ❤️ 𝒳 ü"],
    ["nothing", ""],
  ])("keeps %s, and writes it so that it does no harm", async (_, content) => {
    const skills = await openMemory({ "/own/b/SKILL.md": skillText("b"), "/own/b/x.md": content }, "/own");
    const { text } = await bundleSkills(skills, skills.catalog.skills);
    expect((await load(text)).files["/skills/b/x.md"]).toBe(content);
    expect(text).not.toMatch(/<[!/]|<script|(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/iu);
  });

  it("keeps any bytes in a file of any name", async () => {
    const name = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/[/\0]|^\.\.?$|^SKILL\.md$/.test(text));
    await fc.assert(
      fc.asyncProperty(name, fc.uint8Array({ maxLength: 64 }), async (file, bytes) => {
        const skills = await openMemory({ "/own/b/SKILL.md": skillText("b"), [`/own/b/${file}`]: bytes }, "/own");
        const { files } = await load((await bundleSkills(skills, skills.catalog.skills)).text);
        expect(toBytes(files[`/skills/b/${file}`])).toEqual([...bytes]);
      }),
      { numRuns: 150 },
    );
  });

  it("is the same for the same skills, wherever they lie and in whatever order they are named", async () => {
    const tree = { "a/SKILL.md": skillText("a"), "a/z.md": "z", "a/B.md": "b", "x/a/SKILL.md": skillText("other") };
    const [one, two] = [await open([rootAt(layTree(tree))]), await open([rootAt(layTree(tree))])];
    const text = (await bundleSkills(one, one.catalog.skills)).text;
    const again = [...two.catalog.skills, ...two.catalog.skills].reverse();
    expect((await bundleSkills(two, again)).text).toBe(text);
  });

  it("gives skills of one folder name parents of their own, none of which is a skill", async () => {
    const files = {
      "/one/pdf/SKILL.md": skillText("a"),
      "/two/pdf/SKILL.md": skillText("b"),
      "/three/pdf/SKILL.md": skillText("c"),
      "/three/2/SKILL.md": skillText("2"),
      "/three/csv/SKILL.md": skillText("csv"),
    };
    const skills = await openMemory(files, "/one", "/two", "/three");
    const bundle = await load((await bundleSkills(skills, skills.catalog.skills)).text);
    expect(Object.keys(bundle.files)).toEqual([
      "/skills/2/SKILL.md",
      "/skills/3/pdf/SKILL.md",
      "/skills/4/pdf/SKILL.md",
      "/skills/csv/SKILL.md",
      "/skills/pdf/SKILL.md",
    ]);
    const { catalog } = await openMemory(bundle.files, "/skills");
    expect(catalog.skills.map(({ name }) => name).sort()).toEqual(["2", "a", "b", "c", "csv"]);
  });

  it("keeps a skill that is a root itself, with the skills in it", async () => {
    const folder = layTree({ "pack/SKILL.md": skillText("pack"), "pack/sub/SKILL.md": skillText("sub") });
    const skills = await open([rootAt(`${folder}/pack`)]);
    const { files } = await load((await bundleSkills(skills, skills.catalog.skills)).text);
    const { catalog } = await openMemory(files, "/skills");
    expect(catalog.skills.map(({ name }) => name)).toEqual(["pack", "sub"]);
  });
});

describe("what cannot be bundled", () => {
  const refuse = async (files: MemoryFiles, change: Partial<Source> = {}, limits = {}, root = "/own") => {
    const source = { ...createMemorySource(files), ...change };
    const skills = await createSkills({ sources: [{ source, roots: [rootAt(root)] }], policy: { limits } });
    return bundleSkills(skills, skills.catalog.skills).catch((error: unknown) => error);
  };
  const pdf = { "/own/pdf/SKILL.md": skillText("pdf"), "/own/pdf/big.txt": "x".repeat(99) };

  it("is a file that is too large or cannot be read, which is named", async () => {
    expect(await refuse(pdf, {}, { fileBytes: 98 })).toMatchObject({
      code: "resource-too-large",
      message: '"pdf" cannot be bundled: "big.txt" has 99 bytes; at most 98 are read.',
    });
    const { read } = createMemorySource({});
    expect(await refuse(pdf, { read })).toMatchObject({
      code: "resource-not-found",
      message: '"pdf" cannot be bundled: The skill has no file "SKILL.md".',
    });
  });

  it("is a skill with too many files, or with none any more", async () => {
    expect(await refuse(pdf, {}, { files: 1 })).toMatchObject({ code: "unavailable" });
    const files = async () => ({ files: [], truncated: false });
    expect(await refuse(pdf, { files })).toMatchObject({
      message: '"pdf" cannot be bundled: it has no SKILL.md any more.',
    });
  });

  it("is more than a text can hold", async () => {
    const read = async () => new Uint8Array(40 * 1024 * 1024);
    expect(await refuse(pdf, { read })).toMatchObject({
      code: "resource-too-large",
      message: '"pdf" cannot be bundled: with "big.txt" there are more than 67108864 bytes.',
    });
  });

  it.each(["../evil/SKILL.md", "/etc/passwd", "a//b", "./x"])("is a path like %s", async (path) => {
    const files = async () => ({
      files: ["SKILL.md", path].map((each) => ({ path: each, bytes: 1 })),
      truncated: false,
    });
    expect(await refuse(pdf, { files })).toMatchObject({ code: "path-outside-skill" });
  });

  it("is a folder where no skill is looked for", async () => {
    expect(await refuse({ "/own/.git/SKILL.md": skillText("git") }, {}, {}, "/own/.git")).toMatchObject({
      message: '"git" cannot be bundled: its folder is named ".git", where no skill is looked for. Rename it.',
    });
  });

  it("is a second skill of the same name", async () => {
    const files = { "/one/pdf/SKILL.md": skillText("pdf"), "/two/x/SKILL.md": skillText("pdf", "Other.") };
    const skills = await openMemory(files, "/one", "/two");
    const both = ["/one/pdf", "/two/x"].map((path) => skills.find(path));
    await expect(bundleSkills(skills, both)).rejects.toMatchObject({
      code: "skill-ambiguous",
      message: 'A bundle has one skill of a name. Choose one "pdf": /one/pdf/SKILL.md, /two/x/SKILL.md.',
    });
  });
});
