import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keepFolder, skillText } from "./support/tree.ts";

const repo = fileURLToPath(new URL("..", import.meta.url));
const bin = (name: string) => join(repo, "node_modules/.bin", name);

/** The package as users get it: built, packed, and installed into an empty project. */
describe("the package", () => {
  const project = keepFolder();
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: project, encoding: "utf8", env: { ...process.env, HOME: project } });

  beforeAll(() => {
    execFileSync(process.execPath, [join(repo, "scripts/build.ts")], { cwd: repo });
    execFileSync("npm", ["pack", join(repo, "dist/skillholm"), "--silent"], { cwd: project });
    const packed = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
    writeFileSync(join(project, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }');
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", join(project, packed)], {
      cwd: project,
    });
    mkdirSync(join(project, ".agents/skills/greet"), { recursive: true });
    writeFileSync(join(project, ".agents/skills/greet/SKILL.md"), skillText("greet"));
  });

  it("runs the README's five lines", () => {
    const code =
      /```ts\n(import \{ openSkills \}[\s\S]*?)```/.exec(readFileSync(join(repo, "README.md"), "utf8"))?.[1] ?? "";
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(5);
    writeFileSync(join(project, "five-lines.js"), code);
    const output = run(process.execPath, "five-lines.js");
    expect(output).toContain("write-a-skill");
    expect(output).toContain("# Write a skill");
  });

  it("runs the examples", async () => {
    const url = await serveEmbeddings();
    const env = { ...process.env, HOME: project, OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" };
    for (const name of readdirSync(join(repo, "examples"))) {
      copyFileSync(join(repo, "examples", name), join(project, name));
      const output = await promisify(execFile)(process.execPath, [name], { cwd: project, env });
      expect(output.stdout, name).toContain("fix-a-missing-skill");
    }
  });

  it("has a command that runs", () => {
    const { skills } = JSON.parse(
      run(join(project, "node_modules/.bin/skillholm"), "list", "--json", "--root", ".agents/skills"),
    );
    expect(skills).toMatchObject([{ name: "greet", scope: "project" }]);
    expect(run(join(project, "node_modules/.bin/skillholm"), "--version").trim()).toBe(
      JSON.parse(readFileSync(join(repo, "package.json"), "utf8")).version,
    );
  });

  it("has a server with its page, and a guide that answers", async () => {
    const command = join(project, "node_modules/.bin/skillholm");
    expect(JSON.parse(run(command, "ask", "write a skill", "--json")).calls).toHaveLength(2);
    const env = { ...process.env, HOME: project };
    const child = spawn(command, ["serve", "--port", "0", "--no-key"], { cwd: project, env });
    onTestFinished(() => void child.kill());
    const [line] = await once(createInterface(child.stdout), "line");
    const url = line.replace("Skillholm is at ", "");
    const page = await (await fetch(url)).text();
    const script = /src="\/(assets\/[^"]+)"/.exec(page)?.[1] ?? "";
    expect((await fetch(url + script)).status).toBe(200);
    const body = JSON.stringify({ id: "m", text: "write a skill" });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}api/chats/c/messages`, { method: "POST", body, headers });
    expect(await answer.text()).toContain("# Write a skill");
  });

  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("has types that a strict consumer can use (%s)", (moduleResolution, module) => {
    const code = `
      import { openSkills, type Skill, SkillError } from "skillholm";
      import { createMemorySource, createSkills, type Root } from "skillholm/portable";
      const root: Root = { path: "/s", scope: "user", trusted: true, writable: false, links: "inside" };
      const a: Skill = (await openSkills({ trusted: true })).find("greet");
      const b = await createSkills({ sources: [{ source: createMemorySource({ "/s/a/SKILL.md": "" }), roots: [root] }] });
      export const names: readonly string[] = [a.name, ...b.catalog.hidden.map((each) => each.reason)];
      export const code: string = new SkillError("skill-not-found", "x").code;
      // @ts-expect-error: the types are not \`any\`
      export const wrong: number = a.name;`;
    writeFileSync(join(project, "consumer.ts"), code);
    const options = {
      strict: true,
      noEmit: true,
      target: "es2023",
      lib: ["es2023", "dom"],
      types: [],
      module,
      moduleResolution,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["consumer.ts"] }));
    expect(run(bin("tsc"), "-p", ".")).toBe("");
  });

  it("brings no TypeScript to run, no dependencies, and the licences of what it bundles", () => {
    const installed = join(project, "node_modules/skillholm");
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest.dependencies).toBeUndefined();
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
    expect(files).toContain("skills/write-a-skill/SKILL.md");
    const notices = readFileSync(join(installed, "THIRD-PARTY.md"), "utf8");
    for (const bundled of ["js-yaml", "hono", "react-dom"]) expect(notices).toContain(`## ${bundled} `);
  });

  it("has a portable entry that imports nothing of Node's", () => {
    const lib = join(project, "node_modules/skillholm/lib");
    const seen = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(join(lib, file), "utf8");
      expect(text).not.toMatch(/from "node:|import\("node:|require\(/);
      for (const [, next = ""] of text.matchAll(/from "\.\/([^"]+)"/g)) visit(next);
    };
    visit("portable.js");
    expect(seen.size).toBeGreaterThan(1);
  });
});

/** A provider's embeddings on loopback: texts that share three letters in a row are near. */
async function serveEmbeddings(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { input: string[] };
    response.end(JSON.stringify({ data: input.map((text) => ({ embedding: trigrams(text) })) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function trigrams(text: string): readonly number[] {
  const vector = new Array<number>(512).fill(0);
  for (let at = 0; at + 3 <= text.length; at++) {
    const hash = [...text.slice(at, at + 3).toLowerCase()].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7);
    vector[hash % 512] = (vector[hash % 512] ?? 0) + 1;
  }
  return vector;
}
