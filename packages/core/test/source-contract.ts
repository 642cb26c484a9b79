import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../test/support/tree.ts";
import { createSkills, type Root, SkillError, type Source } from "../src/portable.ts";
import { rootAt } from "./loading.ts";

/** What a source needs to be tested: a place that holds these files. */
export type MakeSource = (files: Readonly<Record<string, string | Uint8Array>>) => { source: Source; root: string };

const files = {
  "pdf/SKILL.md": skillText("pdf"),
  "pdf/references/guide.md": "# Guide\n\nÜber PDF.\n",
  "pdf/assets/logo.png": Uint8Array.of(0x89, 0x50, 0, 1),
  "pdf/agents/openai.yaml": "interface:\n  display_name: PDF\n",
  "group/csv/SKILL.md": skillText("csv"),
  "group/csv/inner/SKILL.md": skillText("inner"),
  "pdf-evil/SKILL.md": skillText("pdf-evil"),
  ".hidden/x/SKILL.md": skillText("x"),
  "lower/skill.md": skillText("lower"),
  "bad/SKILL.md": "no frontmatter",
};

const hostilePaths = [
  "../pdf-evil/SKILL.md",
  "..",
  "/etc/passwd",
  "references/../../pdf-evil/SKILL.md",
  "references/../../../../../../etc/passwd",
  "./../pdf-evil/SKILL.md",
  "//etc/passwd",
];

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Every source passes this, hostile paths included. */
export function describeSource(name: string, make: MakeSource): void {
  const load = (root: Partial<Root> = {}) => {
    const made = make(files);
    return createSkills({ sources: [{ source: made.source, roots: [rootAt(made.root, root)] }] });
  };

  describe(`the source contract: ${name}`, () => {
    it("finds every skill, once, in order of their paths", async () => {
      const { catalog } = await load();
      expect(catalog.skills.map((skill) => skill.name)).toEqual(["csv", "pdf", "pdf-evil"]);
      expect(catalog.hidden.map((each) => [each.name, each.state])).toEqual([
        ["bad", "invalid"],
        ["lower", "invalid"],
      ]);
      expect(catalog.roots).toMatchObject([{ exists: true, skills: 5 }]);
    });

    it("lists the files of a skill and reads each", async () => {
      const skills = await load();
      const skill = skills.find("pdf");
      const list = await skills.files(skill);
      expect(list).toEqual({
        files: [
          { path: "SKILL.md", bytes: files["pdf/SKILL.md"].length },
          { path: "agents/openai.yaml", bytes: 31 },
          { path: "assets/logo.png", bytes: 4 },
          { path: "references/guide.md", bytes: 20 },
        ],
        truncated: false,
      });
      expect(Array.from(await skills.read(skill, "assets/logo.png"))).toEqual([0x89, 0x50, 0, 1]);
      expect(new TextDecoder().decode(await skills.read(skill, "./references//guide.md"))).toContain("Über PDF");
      expect(await skills.body(skill)).toBe("# pdf");
      expect(skill.fields.openai).toEqual({ displayName: "PDF" });
    });

    it.each(hostilePaths)("refuses %s", async (path) => {
      const skills = await load();
      await expect(skills.read(skills.find("pdf"), path)).rejects.toMatchObject({ code: "path-outside-skill" });
    });

    it("tells a missing file from a refused one", async () => {
      const skills = await load();
      const error = await skills.read(skills.find("pdf"), "references/none.md").catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SkillError);
      expect(error).toMatchObject({ code: "resource-not-found" });
    });

    it("refuses a file over the limit, and cuts a long list of files", async () => {
      const made = make(files);
      const policy = { limits: { fileBytes: 10, files: 2 } };
      const skills = await createSkills({ sources: [{ source: made.source, roots: [rootAt(made.root)] }], policy });
      await expect(skills.read(skills.find("pdf"), "references/guide.md")).rejects.toMatchObject({
        code: "resource-too-large",
      });
      expect((await skills.files(skills.find("pdf"))).truncated).toBe(true);
    });

    it("keeps to a limit on frontmatter that is below one read", async () => {
      const made = make({ "long/SKILL.md": skillText("long", "x".repeat(300)), "short/SKILL.md": skillText("short") });
      const sources = [{ source: made.source, roots: [rootAt(made.root)] }];
      const { catalog } = await createSkills({ sources, policy: { limits: { frontmatterBytes: 200 } } });
      expect(catalog.skills.map((skill) => skill.name)).toEqual(["short"]);
      expect(catalog.diagnostics.map((each) => each.code)).toEqual(["frontmatter-too-large"]);
    });

    it("hashes SKILL.md, and digests every file with its path", async () => {
      const skills = await load();
      const skill = skills.find("pdf");
      const own = Object.entries(files).filter(([path]) => path.startsWith("pdf/"));
      const lines = own.map(([path, content]) => `${sha256(content)}  ${path.slice("pdf/".length)}\n`);
      const sorted = lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
      expect(await skills.hash(skill)).toBe(sha256(files["pdf/SKILL.md"]));
      expect(await skills.digest(skill)).toBe(sha256(sorted.join("")));
    });
  });
}
