import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../test/support/tree.ts";
import { createMemorySource, createSkills, parseLines } from "../src/portable.ts";
import { readResource } from "../src/resources.ts";
import { rootAt } from "./loading.ts";

const source = createMemorySource({
  "/s/a/SKILL.md": skillText("a"),
  "/s/a/references/guide.md": "one\ntwo\nthree\n",
  "/s/a/assets/logo.png": Uint8Array.of(0x89, 0x50, 0, 1),
  "/s/a/assets/latin.txt": Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
  "/s/a/long.txt": "é".repeat(600),
  "/s/ab/SKILL.md": skillText("ab"),
});
const skills = await createSkills({
  sources: [{ source, roots: [rootAt("/s")] }],
  policy: { limits: { resourceBytes: 1001 } },
});
const skill = skills.find("a");

describe("a skill's file", () => {
  it("is read whole, or by lines", async () => {
    expect(await readResource(skills, skill, "references/guide.md")).toEqual({
      path: "references/guide.md",
      content: "one\ntwo\nthree\n",
      encoding: "utf-8",
      bytes: 14,
      truncated: false,
    });
    const lines = async (text: string) =>
      (await readResource(skills, skill, "./references//guide.md", { lines: parseLines(text) })).content;
    expect(await lines("2-3")).toBe("two\nthree");
    expect(await lines("2")).toBe("two");
    expect(await lines("3-")).toBe("three");
    expect(await lines("1-999")).toBe("one\ntwo\nthree");
    await expect(lines("4-5")).rejects.toThrow('"references/guide.md" has 3 lines; there is no line 4.');
  });

  it("is cut at a limit, between two characters", async () => {
    const { content, truncated, bytes } = await readResource(skills, skill, "long.txt");
    expect({ truncated, bytes, content }).toEqual({ truncated: true, bytes: 1200, content: "é".repeat(500) });
  });

  it.each([
    ["refuse", { code: "resource-binary" }],
    ["metadata", { content: "[assets/logo.png is no text: image/png, 4 bytes]", truncated: true }],
    ["base64", { content: "iVAAAQ==", encoding: "base64", type: "image/png", truncated: false }],
  ] as const)("that is no text: %s", async (binary, expected) => {
    const read = readResource(skills, skill, "assets/logo.png", { binary }).catch((error) => error);
    expect(await read).toMatchObject(expected);
  });

  it("in another encoding is no text", async () => {
    await expect(readResource(skills, skill, "assets/latin.txt")).rejects.toMatchObject({ code: "resource-binary" });
  });

  it.each(["", "0", "0-3", "3-2", "x", "1-2-3", "-5"])("has no lines %j", (text) => {
    expect(() => parseLines(text)).toThrow(/are no lines/);
  });

  it.each([
    "../ab/SKILL.md",
    "..",
    "/etc/passwd",
    "\\\\server\\share",
    "references\\guide.md",
    "C:/x",
    "c:guide.md",
    "references/../../ab/SKILL.md",
    "references/../SKILL.md",
    "..%2fab/SKILL.md",
    "%2e%2e/ab/SKILL.md",
    "a\0.md",
    "~/x",
  ])("outside is refused: %j", async (path) => {
    await expect(readResource(skills, skill, path)).rejects.toMatchObject({ code: "path-outside-skill" });
  });

  it.each([
    [".", "resource-not-found"],
    ["references", "resource-not-found"],
    ["missing.md", "resource-not-found"],
    [" ", "invalid-input"],
  ])("that is none: %j", async (path, code) => {
    await expect(readResource(skills, skill, path)).rejects.toMatchObject({ code });
  });

  it("never comes from another skill, whatever the path", async () => {
    const part = fc.constantFrom("..", ".", "ab", "a", "SKILL.md", "", "%2e%2e", "references", "..\\", "\0", "s");
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const read = await readResource(skills, skill, parts.join("/")).catch(() => undefined);
        if (read !== undefined) expect(["SKILL.md", "references/guide.md"]).toContain(read.path);
        if (read?.path === "SKILL.md") expect(read.content).toContain("name: a\n");
      }),
    );
  });
});
