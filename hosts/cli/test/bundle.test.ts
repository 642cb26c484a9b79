import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openSkills, type Skills } from "@skillholm/core";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const machine = createMachines();
const repo = fileURLToPath(new URL("../../..", import.meta.url));
const portable = new URL("../../../packages/core/src/portable.ts", import.meta.url);

const team = {
  "team/pdf/SKILL.md": skill("pdf", "Reads PDF files.", "See </script> and \u2028 and `x`."),
  "team/pdf/references/guide.md": "\ufeffone\r\ntwo\n",
  "team/pdf/scripts/run.py": "print('hi')",
  "team/pdf/agents/openai.yaml": "interface:\n  display_name: PDF\n",
  "team/pdf/empty.txt": "",
  "team/group/pdf/SKILL.md": skill("pdf-two"),
  "team/csv/SKILL.md": skill("csv"),
  "team/own/SKILL.md": skill("own", "For people.\ndisable-model-invocation: true"),
  "team/bad/SKILL.md": "no frontmatter",
};

/** A machine with skills, one of them with every byte there is. */
function createTeam(): Machine & { readonly root: readonly string[] } {
  const place = machine(team);
  mkdirSync(place.at("project"));
  mkdirSync(place.at("team/pdf/assets"));
  writeFileSync(
    place.at("team/pdf/assets/all.bin"),
    Uint8Array.from({ length: 70_000 }, (_, at) => at % 256),
  );
  return { ...place, root: ["--root", place.at("team")] };
}

const openTeam = (place: Machine) =>
  openSkills({
    roots: [{ path: place.at("team"), scope: "project", trusted: true, writable: false, links: "inside" }],
  });

type Facts = Record<string, Record<"description" | "hash" | "digest", string>>;

async function factsOf(skills: Skills, names: readonly string[]): Promise<Facts> {
  const facts: Facts = {};
  for (const name of names) {
    const found = skills.find(name);
    const [hash, digest] = [await skills.hash(found), await skills.digest(found)];
    facts[name] = { description: found.description, hash, digest };
  }
  return facts;
}

/** Imports a bundle as an application does, in a process of its own. */
async function importBundle(path: string): Promise<Facts> {
  const code = `
    import { createMemorySource, createSkills } from ${JSON.stringify(portable.href)};
    import { files, roots } from ${JSON.stringify(path)};
    const skills = await createSkills({ sources: [{ source: createMemorySource(files), roots }] });
    const facts = {};
    for (const skill of skills.catalog.skills) {
      const [hash, digest] = [await skills.hash(skill), await skills.digest(skill)];
      facts[skill.name] = { description: skill.description, hash, digest };
    }
    console.log(JSON.stringify(facts));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
  return JSON.parse(stdout);
}

describe("bundle", () => {
  it.each(["skills.mjs", "skills.ts"])("writes %s, which lists the same skills with the same bytes", async (name) => {
    const place = createTeam();
    const { status, json } = await place.runJson(["bundle", "--out", name, ...place.root]);
    const path = place.at(`project/${name}`);
    const bytes = statSync(path).size;
    expect({ status, json }).toEqual({
      status: 0,
      json: { path, skills: ["csv", "pdf", "pdf-two"], files: 8, bytes },
    });
    expect(await importBundle(path)).toEqual(await factsOf(await openTeam(place), ["csv", "pdf", "pdf-two"]));
    expect(readdirSync(place.at("project"))).toEqual([name]);
  });

  it("passes a strict TypeScript, and fits what takes it", async () => {
    const place = createTeam();
    await place.run(["bundle", "--out", "skills.ts", ...place.root]);
    await place.run(["bundle", "--out", "plain.js", ...place.root]);
    const use = `
      import { createMemorySource, createSkills } from ${JSON.stringify(fileURLToPath(portable))};
      import { files, roots } from "./skills.ts";
      import * as plain from "./plain.js";
      await createSkills({ sources: [{ source: createMemorySource(files), roots }] });
      await createSkills({ sources: [{ source: createMemorySource(plain.files), roots: plain.roots }] });
    `;
    writeFileSync(place.at("project/use.ts"), use);
    writeFileSync(place.at("project/package.json"), '{ "type": "module" }');
    const compilerOptions = { typeRoots: [`${repo}node_modules/@types`], rewriteRelativeImportExtensions: false };
    // The strictest that we know is our own.
    const config = { extends: `${repo}tsconfig.json`, compilerOptions, include: ["use.ts"] };
    writeFileSync(place.at("project/tsconfig.json"), JSON.stringify(config));
    const compile = promisify(execFile)(`${repo}node_modules/.bin/tsc`, ["-p", place.at("project")]);
    const { stdout } = await compile.catch((error) => error);
    expect(stdout).toBe("");
  });

  it("prints the same module without a file, and its counts beside it", async () => {
    const place = createTeam();
    await place.run(["bundle", "--out", "skills.js", ...place.root]);
    const text = readFileSync(place.at("project/skills.js"), "utf8");
    const printed = { status: 0, stdout: text, stderr: expect.stringMatching(/^3 skills, 8 files, [\d,]+ bytes\n$/) };
    expect(await place.run(["bundle", ...place.root])).toEqual(printed);
    expect(await place.run(["bundle", "--out", "-", ...place.root])).toEqual(printed);
    const { json } = await place.runJson(["bundle", ...place.root]);
    expect(json).toEqual({ skills: ["csv", "pdf", "pdf-two"], files: 8, bytes: Buffer.byteLength(text), text });
  });

  it("takes names and paths, each skill once, and what a person names although models may not", async () => {
    const place = createTeam();
    const names = ["own", "csv@project", "../team/csv", "csv"];
    expect((await place.runJson(["bundle", ...names, ...place.root])).json).toMatchObject({
      skills: ["csv", "own"],
      files: 2,
    });
  });

  it("replaces its own file, which others may read as before, and no other unless told to", async () => {
    const place = createTeam();
    const path = place.at("project/skills.js");
    writeFileSync(path, "export const mine = 1;\n");
    const message = `--out: ${path} is there and is no bundle. To replace it, add --force.`;
    const out = ["bundle", "csv", "--out", "skills.js", ...place.root];
    expect(await place.runJson(out)).toEqual({ status: 2, json: { error: { code: "invalid-input", message } } });
    expect(readFileSync(path, "utf8")).toBe("export const mine = 1;\n");
    chmodSync(path, 0o644);
    expect(await place.run([...out, "--force"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^Wrote ${path}: 1 skill, 1 file, \\d+ bytes\n$`)),
    });
    const first = readFileSync(path, "utf8");
    writeFileSync(path, first.replaceAll("\n", "\r\n"));
    expect((await place.run(out)).status).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(first);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it.each([
    ["a folder that is not there", "none/skills.js", /^--out: there is no folder .*\/none$/],
    ["a folder", "../team", /team is no regular file$/],
    ["a device", "/dev/null", /^--out: \/dev\/null is no regular file$/],
    ["no ES module", "skills.cjs", /^--out: a bundle is an ES module, which \.cjs is not\./],
    ["a file of one of the skills", "../team/csv/skills.js", /lies in the skill "csv"\. Write it elsewhere\.$/],
    ["nothing", "", /^--out: an empty text names no file$/],
  ])("refuses %s as its file, forced or not", async (_, out, message) => {
    const place = createTeam();
    const { status, json } = await place.runJson(["bundle", "--out", out, "--force", ...place.root]);
    expect({ status, json }).toMatchObject({
      status: 2,
      json: { error: { code: "invalid-input", message: expect.stringMatching(message) } },
    });
  });

  it("writes nothing when a file is too large, and names it", async () => {
    const place = createTeam();
    writeFileSync(place.at("team/csv/huge.bin"), "");
    truncateSync(place.at("team/csv/huge.bin"), 16 * 1024 * 1024 + 1);
    const { status, json } = await place.runJson(["bundle", "--out", "skills.js", ...place.root]);
    const message = '"csv" cannot be bundled: "huge.bin" has 16777217 bytes; at most 16777216 are read.';
    expect({ status, json }).toMatchObject({ status: 1, json: { error: { code: "resource-too-large", message } } });
    expect(existsSync(place.at("project/skills.js"))).toBe(false);
    expect((await place.run(["bundle", ...place.root])).stdout).toBe("");
  });

  it("takes nothing along from outside a skill's folder", async () => {
    const place = createTeam();
    writeFileSync(place.at("secret.txt"), "TOP SECRET");
    symlinkSync(place.at("secret.txt"), place.at("team/csv/secret.txt"));
    symlinkSync(place.at("team/pdf"), place.at("team/csv/pdf"));
    const { stdout } = await place.run(["bundle", "csv", ...place.root]);
    expect(stdout).toContain('"/skills/csv/SKILL.md"');
    expect(stdout).not.toMatch(/SECRET|secret|pdf/);
  });

  it("has nothing in it that controls a terminal, whatever a skill says", async () => {
    const place = machine({
      "team/sly/SKILL.md": skill("sly", "Sly.", "\u001b[31m \u202e \u009b \u200b"),
      "team/sly/\u001b[2Jfile.md": "x",
    });
    const { stdout } = await place.run(["bundle", "--root", place.at("team")]);
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u200b\u202e]/u);
  });

  it("refuses what is not trusted, unknown, or nothing", async () => {
    const place = machine({
      "project/.git/HEAD": "",
      "project/.agents/skills/wild/SKILL.md": skill("wild"),
      "empty/x.txt": "",
    });
    const codeOf = async (...args: string[]) => {
      const { status, json } = await place.runJson(["bundle", ...args]);
      return [status, (json as { error: { code: string } }).error.code];
    };
    expect(await codeOf("wild")).toEqual([1, "skill-untrusted"]);
    expect(await codeOf("write-a-skil")).toEqual([1, "skill-not-found"]);
    expect(await codeOf("--root", "../empty")).toEqual([1, "skill-not-found"]);
  });
});
