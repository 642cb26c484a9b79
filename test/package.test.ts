import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keepFolder, skillText } from "./support/tree.ts";
import { serveModels } from "./support/wire-server.ts";

const repo = fileURLToPath(new URL("..", import.meta.url));
const bin = (name: string) => join(repo, "node_modules/.bin", name);
const examples = readdirSync(join(repo, "examples")).filter((name) => name.endsWith(".ts"));
const resolutions = [
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
] as const;

/** The package as users get it: built, packed, and installed into an empty project. */
describe("the package", () => {
  const project = keepFolder();
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: project, encoding: "utf8", env: { ...process.env, HOME: project } });

  /** What a strict compiler says of these files. */
  const check = (options: object, ...files: readonly string[]) => {
    const compilerOptions = { strict: true, noEmit: true, target: "es2023", lib: ["es2023", "dom"], ...options };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    return run(bin("tsc"), "-p", ".");
  };

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

  it("S4-15 ships the system's skills", () => {
    const { skills } = JSON.parse(
      run(join(project, "node_modules/.bin/skillholm"), "list", "--json", "--profile", "smallebot"),
    ) as { skills: { id: string; isSystem: boolean; path: string }[] };
    const shipped = skills.filter(({ isSystem }) => isSystem);
    expect(shipped.map(({ id }) => id)).toEqual(readdirSync(join(repo, "skills")));
    for (const { path } of shipped) expect(path).toContain("/node_modules/skillholm/skills/");
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

  it.each(resolutions)("has types that a strict consumer can use (%s)", (moduleResolution, module) => {
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
    expect(check({ module, moduleResolution, types: [] }, "consumer.ts")).toBe("");
  });

  it("brings no TypeScript to run, no dependencies, and the licences of what it bundles", () => {
    const installed = join(project, "node_modules/skillholm");
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(manifest.dependencies).toBeUndefined();
    const optional = Object.keys(manifest.peerDependencies).map((name) => [name, { optional: true }]);
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(optional));
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
    expect(files).toContain("skills/write-a-skill/SKILL.md");
    const notices = readFileSync(join(installed, "THIRD-PARTY.md"), "utf8");
    for (const bundled of ["js-yaml", "hono", "react-dom", "zod"]) expect(notices).toContain(`## ${bundled} `);
  });

  it.each(["portable", "ai-sdk", "openai", "anthropic"])("has an entry %s that imports nothing of Node's", (entry) => {
    const lib = join(project, "node_modules/skillholm/lib");
    const seen = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(join(lib, file), "utf8");
      expect(text).not.toMatch(/from "node:|import\("node:|require\(/);
      for (const [, next = ""] of text.matchAll(/(?:from|import) "\.\/([^"]+)"/g)) visit(next);
    };
    visit(`${entry}.js`);
    expect(seen.size).toBeGreaterThan(1);
  });

  it("has types that mention nothing but themselves and the SDKs", () => {
    const types = join(project, "node_modules/skillholm/types");
    const files = readdirSync(types, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const mentioned = files.flatMap((file) => {
      const text = readFileSync(join(types, file), "utf8");
      return [...text.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, to = ""]) =>
        to.startsWith(".") ? join(dirname(file), to).replace(/\.ts$/, ".d.ts") : to,
      );
    });
    const outside = new Set(mentioned.filter((each) => !files.includes(each)));
    expect([...outside].sort()).toEqual(["@anthropic-ai/sdk", "ai", "openai"]);
  });

  describe("beside the SDKs", () => {
    beforeAll(() => {
      for (const name of ["ai", "@ai-sdk/openai", "openai", "@anthropic-ai/sdk", "@types/node"]) {
        const link = join(project, "node_modules", name);
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(join(repo, "node_modules", name), link);
      }
      for (const name of examples) copyFileSync(join(repo, "examples", name), join(project, name));
    });

    it.each(examples)("runs the example %s", async (name) => {
      const { url, refusals } = await serveModels(({ results }) =>
        results.length > 0
          ? { text: "done" }
          : { calls: [{ name: "activate_skill", input: { name: "fix-a-missing-skill" } }] },
      );
      const keys = { OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none" };
      const places = { OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url.replace(/\/v1$/, "") };
      const env = { ...process.env, HOME: project, ...keys, ...places };
      const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: project, env });
      expect(stdout).toContain("fix-a-missing-skill");
      expect(refusals).toEqual([]);
    });

    it.each(resolutions)("has types that fit theirs (%s)", (moduleResolution, module) => {
      const code = `
        import Anthropic from "@anthropic-ai/sdk";
        import { generateText, type LanguageModel, streamText, ToolLoopAgent } from "ai";
        import OpenAI from "openai";
        import { openSkills } from "skillholm";
        import { type AiSdkAgent, toAiSdk } from "skillholm/ai-sdk";
        import { type AgentOptions, type AnthropicAgent, toAnthropic } from "skillholm/anthropic";
        import { type OpenAiAgent, type OpenAiChatAgent, toOpenAi, toOpenAiChat } from "skillholm/openai";
        const session = (await openSkills()).session();
        const options: AgentOptions = { budget: 1000, task: "x" };
        declare const model: LanguageModel;
        const a: AiSdkAgent = await toAiSdk(session, options);
        await generateText({ model, prompt: "x", ...a });
        export const stream = streamText({ model, prompt: "x", ...a });
        export const agent = new ToolLoopAgent({ model, ...a });
        const b: OpenAiAgent = await toOpenAi(session, options);
        const { output } = await new OpenAI().responses.create({ model: "m", input: "x", instructions: b.instructions, tools: b.tools });
        for (const item of output) if (item.type === "function_call") await b.call(item);
        const c: OpenAiChatAgent = await toOpenAiChat(session, options);
        const { choices } = await new OpenAI().chat.completions.create({ model: "m", messages: [], tools: c.tools });
        for (const call of choices[0]?.message.tool_calls ?? []) if (call.type === "function") await c.call(call);
        const d: AnthropicAgent = await toAnthropic(session, options);
        const { content } = await new Anthropic().messages.create({ model: "m", max_tokens: 1, messages: [], system: d.system, tools: d.tools });
        for (const block of content) if (block.type === "tool_use") await d.call(block);
        // @ts-expect-error: the types are not \`any\`
        export const wrong: readonly number[] = [a.tools, b.tools, c.tools, d.tools];`;
      writeFileSync(join(project, "agents.ts"), code);
      // Their own types are not ours to check.
      expect(check({ module, moduleResolution, skipLibCheck: true, types: ["node"] }, "agents.ts", ...examples)).toBe(
        "",
      );
    });
  });
});
