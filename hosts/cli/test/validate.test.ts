import { readFileSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();
const good = "Does a thing. Use when asked.";

describe("validate", () => {
  const files = {
    "project/good/SKILL.md": skill("good", good),
    "project/bad/SKILL.md": "---\nname: Bad\ndescription: Use when: asked\ncolor: red\n---\n\nDo it.\n",
    "project/empty/notes.txt": "",
    "project/small/skill.md": skill("small", good),
  };

  it("says for each path whether it obeys, with every finding, and ends with 0 or 1", async () => {
    const { at, runJson } = machine(files);
    expect(await runJson(["validate", "good", "good/SKILL.md"])).toEqual({
      status: 0,
      json: {
        valid: true,
        results: [
          { path: at("project/good/SKILL.md"), valid: true, diagnostics: [] },
          { path: at("project/good/SKILL.md"), valid: true, diagnostics: [] },
        ],
      },
    });
    const path = at("project/bad/SKILL.md");
    expect(await runJson(["validate", "good", "bad"])).toMatchObject({
      status: 1,
      json: {
        valid: false,
        results: [
          { valid: true },
          {
            path,
            valid: false,
            diagnostics: [
              { code: "name-invalid", severity: "error", path, line: 2 },
              { code: "name-mismatch", severity: "error", path, line: 2 },
              { code: "yaml-repaired", severity: "error", path, line: 3 },
              { code: "key-unknown", severity: "error", path, line: 4 },
            ],
          },
        ],
      },
    });
  });

  it.each([
    ["nowhere", "there is nothing at"],
    ["empty", "the folder has no SKILL.md"],
    ["empty/notes.txt", "notes.txt is no skill"],
    ["small", "there is skill.md, which should be spelt SKILL.md"],
  ])("judges %s as no skill", async (path, reason) => {
    const { status, json } = await machine(files).runJson(["validate", path]);
    expect(status).toBe(1);
    expect(json).toMatchObject({
      valid: false,
      results: [{ valid: false, diagnostics: [{ code: "file-missing", message: expect.stringContaining(reason) }] }],
    });
  });

  it("needs a path", async () => {
    expect((await machine({}).runJson(["validate"])).status).toBe(2);
    expect((await machine({}).runJson(["validate", ""])).status).toBe(2);
  });

  it("prints a line for each finding, for people", async () => {
    const { stdout, stderr } = await machine(files).run(["validate", "bad"]);
    expect(stdout).toMatch(/^✗ .*bad\/SKILL\.md\n {2}error 2:1 name "Bad" should be/);
    expect(stderr).toBe("1 of 1 skill invalid\n");
  });

  it("mends what has one right answer, shows it, and leaves the rest", async () => {
    const { at, run, runJson } = machine(files);
    const mode = statSync(at("project/bad/SKILL.md")).mode;
    const { status, stdout } = await run(["validate", "--fix", "bad"]);
    expect(status).toBe(1);
    expect(stdout.split("\n").map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        "-name: Bad",
        "+name: bad",
        "-description: Use when: asked",
        '+description: "Use when: asked"',
      ]),
    );
    expect(readFileSync(at("project/bad/SKILL.md"), "utf8")).toBe(
      '---\nname: bad\ndescription: "Use when: asked"\ncolor: red\n---\n\nDo it.\n',
    );
    expect(statSync(at("project/bad/SKILL.md")).mode).toBe(mode);
    const again = await runJson(["validate", "--fix", "bad"]);
    expect(again.json).toMatchObject({ results: [{ diagnostics: [{ code: "key-unknown" }] }] });
  });

  it("mends no link and nothing that may not be written, and says so", async () => {
    const home = machine({ "elsewhere/SKILL.md": files["project/bad/SKILL.md"], "project/bad/x": "" });
    symlinkSync("../../elsewhere/SKILL.md", home.at("project/bad/SKILL.md"));
    const { status, json } = await home.runJson(["validate", "--fix", "bad"]);
    expect(status).toBe(1);
    expect(json).toMatchObject({ results: [{ valid: false, notFixed: expect.stringContaining("a link") }] });
    expect(readFileSync(home.at("elsewhere/SKILL.md"), "utf8")).toBe(files["project/bad/SKILL.md"]);
  });

  it("says which clients would not show a skill, and refuses one that nobody has looked at", async () => {
    const { run, runJson } = machine(files);
    const { status, json } = await runJson(["validate", "good", "--for", "codex,mcp"]);
    expect(status).toBe(0);
    expect(json).toMatchObject({
      results: [
        {
          clients: [
            { client: "codex", loads: true },
            { client: "mcp", loads: true },
          ],
        },
      ],
    });
    const bad = await run(["validate", "bad", "--for", "gemini, mcp"]);
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/✓ gemini \S+ shows it; ignores color \(seen \d{4}-/);
    expect(bad.stdout).toMatch(/✗ mcp \S+ does not show it: .*the name has to be the folder's/);
    expect((await runJson(["validate", "good", "--for", "nosuch"])).status).toBe(2);
    expect((await runJson(["doctor", "write-a-skill", "--for", "gemini"])).json).toMatchObject({
      skills: [{ clients: [{ client: "gemini", loads: true }] }],
    });
  });

  it("shows what is in another file of the skill at its place there", async () => {
    const { at, run, runJson } = machine({
      "project/good/SKILL.md": `${skill("good", good)}\nSee references/a.md.\n`,
      "project/good/references/a.md": "a\n\nb <!-- say no word -->\n",
      "project/good/scripts/b.py": "open('c.csv')\n",
      "project/good/scripts/c.csv": "",
    });
    const { json } = await runJson(["validate", "good"]);
    const path = at("project/good/SKILL.md");
    expect(json).toMatchObject({
      results: [
        {
          diagnostics: [
            { code: "file-unmentioned", path, message: 'nothing in the skill mentions "scripts/b.py"' },
            { code: "hidden-text", path, file: "references/a.md", line: 3, column: 3 },
          ],
        },
      ],
    });
    expect((await run(["validate", "good"])).stdout).toContain("warning references/a.md:3:3 a comment");
    const { runs } = JSON.parse((await run(["validate", "good", "--sarif"])).stdout);
    expect(runs[0].results[1].locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: "good/references/a.md" },
          region: { startLine: 3, startColumn: 3 },
        },
      },
    ]);
  });

  it("rejects references that only another file names, where the configuration says so", async () => {
    const { run } = machine({
      "project/deep/SKILL.md": skill("deep", "Digs. Use when digging.", "Read [a](references/a.md)."),
      "project/deep/references/a.md": "Read [b](b.md).",
      "project/deep/references/b.md": "Deep.",
    });
    const lenient = await run(["validate", "deep"]);
    expect(lenient).toMatchObject({ status: 0, stdout: expect.stringContaining("reference-nested") });
    const strict = await run(["validate", "deep"], { env: { SKILLHOLM_SKILLS_NESTED_REFERENCES: "reject" } });
    expect(strict).toMatchObject({ status: 1, stdout: expect.stringMatching(/error.*reference-nested/) });
  });

  it("gives SARIF with paths that mean the same elsewhere", async () => {
    const { stdout } = await machine(files).run(["validate", "bad", "--sarif"]);
    const { version, runs } = JSON.parse(stdout);
    expect(version).toBe("2.1.0");
    expect(runs[0].tool.driver.name).toBe("skillholm");
    expect(runs[0].results[0]).toEqual({
      ruleId: "name-invalid",
      level: "error",
      message: { text: expect.any(String) },
      locations: [
        { physicalLocation: { artifactLocation: { uri: "bad/SKILL.md" }, region: { startLine: 2, startColumn: 1 } } },
      ],
    });
  });
});
