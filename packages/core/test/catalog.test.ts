import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { createMemorySource, createSkills, type Policy, type Root } from "../src/index.ts";
import { findSkill } from "../src/lookup.ts";
import { codesOf, open, rootAt } from "./loading.ts";

/** `pdf` in two project folders, the user's and the system's, each with its own text. */
function fourClaims(): { base: string; roots: readonly Root[] } {
  const base = layTree({
    "user/pdf/SKILL.md": skillText("pdf", "The user's."),
    "near/pdf/SKILL.md": skillText("pdf", "The nearest project's."),
    "far/pdf/SKILL.md": skillText("pdf", "The farther project's."),
    "system/pdf/SKILL.md": skillText("pdf", "The system's."),
  });
  const roots = [
    rootAt(join(base, "user"), { scope: "user" }),
    rootAt(join(base, "near")),
    rootAt(join(base, "far")),
    rootAt(join(base, "system"), { scope: "system" }),
  ];
  return { base, roots };
}

describe("collisions", () => {
  it.each([
    ["scope", "The nearest project's."],
    ["first", "The user's."],
    ["last", "The system's."],
  ] satisfies [Policy["collisions"], string][])("by %s the winner is: %s", async (collisions, description) => {
    const { roots } = fourClaims();
    const { catalog } = await open(roots, { collisions });
    expect(catalog.skills.map((skill) => skill.description)).toEqual([description]);
    const winner = catalog.skills[0]?.path;
    expect(catalog.hidden.map((each) => [each.name, each.state, each.winner])).toEqual(
      Array(3).fill(["pdf", "shadowed", winner]),
    );
    expect(catalog.diagnostics.map((each) => each.code)).toEqual(Array(3).fill("name-collision"));
  });

  it("keeps all when the policy says so, and then the bare name is ambiguous", async () => {
    const { base, roots } = fourClaims();
    const skills = await open(roots, { collisions: "keep-all" });
    expect(skills.catalog.skills).toHaveLength(4);
    expect(() => skills.find("pdf")).toThrow(expect.objectContaining({ code: "skill-ambiguous" }));
    expect(skills.find("pdf@user").description).toBe("The user's.");
    expect(skills.find(join(base, "far/pdf")).description).toBe("The farther project's.");
  });

  it("keeps a loser addressable by scope and path, and calls several of one scope ambiguous with their paths", async () => {
    const { base, roots } = fourClaims();
    const skills = await open(roots);
    expect(skills.find("pdf").description).toBe("The nearest project's.");
    expect(skills.find("pdf@system").description).toBe("The system's.");
    expect(skills.find(join(base, "far/pdf/SKILL.md")).description).toBe("The farther project's.");
    const paths = ["near", "far"].map((folder) => join(base, folder, "pdf/SKILL.md"));
    expect(() => skills.find("pdf@project")).toThrow(
      expect.objectContaining({ code: "skill-ambiguous", details: { name: "pdf@project", paths } }),
    );
  });

  it("has no warning for the same text in two places", async () => {
    const base = layTree({ "a/x/SKILL.md": skillText("x"), "b/x/SKILL.md": skillText("x") });
    const { catalog } = await open([rootAt(join(base, "a")), rootAt(join(base, "b"), { scope: "user" })]);
    expect(catalog.hidden).toMatchObject([{ state: "shadowed", reason: `same text as ${join(base, "a/x/SKILL.md")}` }]);
    expect(catalog.diagnostics).toEqual([]);
  });

  it("takes names that look the same for the same", async () => {
    const root = layTree({ "one/SKILL.md": skillText("caf\u00e9"), "two/SKILL.md": skillText("cafe\u0301", "Other.") });
    const { catalog } = await open([rootAt(root)]);
    expect([catalog.skills.length, catalog.hidden.length]).toEqual([1, 1]);
  });
});

describe("states", () => {
  it("does not load the skills of an untrusted root, and does not let them take a name", async () => {
    const base = layTree({
      "project/x/SKILL.md": skillText("x", "A stranger's."),
      "user/x/SKILL.md": skillText("x", "Mine."),
    });
    const project = rootAt(join(base, "project"), { trusted: false, project: base });
    const skills = await open([project, rootAt(join(base, "user"), { scope: "user" })]);
    expect(skills.find("x").description).toBe("Mine.");
    expect(skills.catalog.hidden).toMatchObject([{ state: "untrusted", reason: `${base} is not trusted yet` }]);
    expect(() => skills.find("x@project")).toThrow(expect.objectContaining({ code: "skill-untrusted" }));
    expect(skills.lookup("x@project").state).toBe("untrusted");
  });

  it("switches skills off by name and pattern", async () => {
    const names = ["danger", "old-a", "old-b", "kept", "very-old"];
    const root = layTree(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)])));
    const skills = await open([rootAt(root)], { disabled: ["danger", "old-*"] });
    expect(skills.catalog.skills.map((skill) => skill.name)).toEqual(["kept", "very-old"]);
    expect(() => skills.find("danger")).toThrow(expect.objectContaining({ code: "skill-disabled" }));
  });

  it("is not fooled by a name that only looks different", async () => {
    const root = layTree({
      "a/SKILL.md": skillText("\uff44anger"),
      "b/SKILL.md": skillText("pdf"),
      "c/SKILL.md": skillText("pdf\u200b", "Other."),
    });
    const { catalog } = await open([rootAt(root)], { disabled: ["danger"] });
    expect(catalog.skills.map((skill) => skill.name)).toEqual(["pdf"]);
    expect(catalog.hidden.map((each) => each.state)).toEqual(["disabled", "shadowed"]);
  });

  it("says which skills are over the limit", async () => {
    const root = layTree(Object.fromEntries([..."abcd"].map((name) => [`${name}/SKILL.md`, skillText(name)])));
    const { catalog } = await open([rootAt(root)], { limits: { skills: 3 } });
    expect(catalog.hidden).toMatchObject([{ name: "d", state: "over-limit" }]);
    expect(() => findSkill(catalog, "d")).toThrow(expect.objectContaining({ code: "skill-over-limit" }));
    expect(catalog.truncated).toBe(true);
    expect(codesOf(catalog, join(root, "d/SKILL.md"))).toEqual(["skill-limit"]);
  });

  it("rejects what a strict policy rejects", async () => {
    const root = layTree({
      "right/SKILL.md": skillText("right"),
      "wrong/SKILL.md": skillText("another"),
      "extra/SKILL.md": skillText("extra", "Extra.", "surprise: yes\n"),
    });
    const { catalog } = await open([rootAt(root)], { names: "reject", folderNames: "reject", unknownKeys: "reject" });
    expect(catalog.skills.map((skill) => skill.name)).toEqual(["right"]);
    expect(catalog.hidden.map((each) => each.state)).toEqual(["invalid", "invalid"]);
  });

  it("accounts for every SKILL.md exactly once", async () => {
    const contents = fc.constantFrom(
      skillText("a"),
      skillText("b"),
      skillText("a", "Other."),
      "nothing",
      "---\nname: c\n---\n",
    );
    const folders = fc.constantFrom("p/1", "p/2", "p/g/3", "u/1", "u/g/2", "s/1", "s/2");
    const policies = fc.record({
      collisions: fc.constantFrom<Policy["collisions"]>("first", "last", "scope", "keep-all"),
      disabled: fc.constantFrom<readonly string[]>([], ["b"]),
      limits: fc.constantFrom({}, { skills: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(folders, contents), policies, fc.boolean(), async (tree, policy, trusted) => {
        const base = layTree(
          Object.fromEntries(Object.entries(tree).map(([path, text]) => [`${path}/SKILL.md`, text])),
        );
        const roots = [
          rootAt(join(base, "p"), { trusted }),
          rootAt(join(base, "u"), { scope: "user" }),
          rootAt(join(base, "s"), { scope: "system" }),
        ];
        const { catalog } = await open(roots, policy);
        const accounted = [...catalog.skills, ...catalog.hidden].map((each) => each.path).sort();
        expect(accounted).toEqual(
          Object.keys(tree)
            .map((path) => join(base, path, "SKILL.md"))
            .sort(),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe("many claims on one name", () => {
  it("are settled, twenty thousand of them", async () => {
    const files = Array.from({ length: 20_000 }, (_, index) => [
      `/s/f${index}/SKILL.md`,
      skillText("same", `Number ${index}.`),
    ]);
    const source = createMemorySource(Object.fromEntries(files));
    const { catalog } = await createSkills({ sources: [{ source, roots: [rootAt("/s")] }] });
    expect([catalog.skills.length, catalog.hidden.length]).toEqual([1, 19_999]);
  });

  it("of roots that overlap are one, in one state", async () => {
    const base = layTree({
      "a/b/x/SKILL.md": { link: "../../../out/SKILL.md" },
      "a/b/y/skill.md": "",
      "out/SKILL.md": skillText("x"),
    });
    const roots = [rootAt(join(base, "a")), rootAt(join(base, "a/b"), { scope: "user" })];
    const { catalog } = await open(roots);
    expect(catalog.skills.map((skill) => skill.name)).toEqual(["x"]);
    expect(catalog.hidden.map((each) => each.name)).toEqual(["y"]);
  });
});

describe("lookup", () => {
  it("names the nearest skills for one that is not there", async () => {
    const root = layTree({ "pdf-forms/SKILL.md": skillText("pdf-forms"), "csv/SKILL.md": skillText("csv") });
    const skills = await open([rootAt(root)]);
    for (const wrong of ["pdf-form", "pdf", "PDF-Forms", "pdf_forms", "pdf-fo@user"]) {
      expect(() => skills.find(wrong)).toThrow(
        expect.objectContaining({ code: "skill-not-found", details: { name: wrong, closest: ["pdf-forms"] } }),
      );
    }
    expect(() => skills.find("entirely-different")).toThrow(/^No skill "entirely-different"\.$/);
  });

  it("tells people, and not a model, of a near name that is hidden", async () => {
    const root = layTree({ "broken/SKILL.md": "no frontmatter", "a/SKILL.md": skillText("a") });
    const skills = await open([rootAt(root)]);
    expect(() => skills.lookup("brokn")).toThrow("Closest: broken.");
    expect(() => skills.find("brokn")).toThrow(/^No skill "brokn"\.$/);
    for (const far of ["x".repeat(300), "", "/nowhere/at/all"])
      expect(() => skills.lookup(far)).toThrow("See: skillholm list.");
  });

  it("finds a name that holds an at sign", async () => {
    const root = layTree({ "a/SKILL.md": skillText('"tool@user"') });
    const skills = await open([rootAt(root)]);
    expect(skills.find("tool@user").scope).toBe("project");
    expect(skills.find("tool@user@project").name).toBe("tool@user");
  });
});
