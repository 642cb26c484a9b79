import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMachines, type Machine, skill } from "./command.ts";

const machines = createMachines();
const files = {
  "home/.agents/skills/brew-tea/SKILL.md": skill("brew-tea", "Makes tea.", "Boil water."),
  "home/.agents/skills/brew-tea/references/leaves.md": "Green.\n",
  "project/.git/HEAD": "",
  "project/.agents/skills/deploy/SKILL.md": skill("deploy", "Deploys this project."),
};
const bin = fileURLToPath(new URL("../bin/skillholm.js", import.meta.url));
const modes = { old: "legacy", new: { pin: "2026-07-28" } } as const;
const extensions = { "io.modelcontextprotocol/skills": {} };

function createClient(era: keyof typeof modes): Client {
  const options = { versionNegotiation: { mode: modes[era] }, capabilities: { extensions } };
  const client = new Client({ name: "test", version: "0" }, options);
  onTestFinished(() => client.close());
  return client;
}

async function connectStdio(machine: Machine, era: keyof typeof modes, args: readonly string[] = []): Promise<Client> {
  const client = createClient(era);
  const env = { HOME: machine.at("home"), XDG_STATE_HOME: machine.at("state"), XDG_CACHE_HOME: machine.at("cache") };
  const place = { command: process.execPath, args: [bin, "mcp", ...args], env, cwd: machine.at("project") };
  await client.connect(new StdioClientTransport({ ...place, stderr: "ignore" }));
  return client;
}

async function connectHttp(address: string, era: keyof typeof modes, token?: string): Promise<Client> {
  const client = createClient(era);
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  return client;
}

async function useSkills(client: Client): Promise<void> {
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  const tea = entries.find(({ frontmatter }) => frontmatter.name === "brew-tea");
  if (tea === undefined) throw new Error("it does not list brew-tea");
  expect(await skills.read(tea)).toMatchObject({ verified: true, body: expect.stringContaining("Boil water.") });
  expect(await skills.read(tea, "references/leaves.md")).toMatchObject({ verified: true, text: "Green.\n" });
  const found = await client.callTool({ name: "search_skills", arguments: { query: "tea" } });
  expect(found.structuredContent).toMatchObject({ results: [{ name: "brew-tea" }] });
}

async function namesOf(client: Client): Promise<readonly string[]> {
  const { prompts } = await client.listPrompts();
  return prompts.map(({ name }) => name).filter((name) => ["brew-tea", "deploy"].includes(name));
}

describe.each(["old", "new"] as const)("skillholm mcp, for %s clients", (era) => {
  it("serves on standard input and output", async () => {
    await useSkills(await connectStdio(machines(files), era));
  });

  it("serves over HTTP", async () => {
    const { line } = await machines(files).start(["mcp", "--http", "0", "--json"]);
    await useSkills(await connectHttp(JSON.parse(line).address, era));
  });
});

describe("skillholm mcp", () => {
  it("serves the project that it is started in, once that is trusted", async () => {
    const machine = machines(files);
    expect(await namesOf(await connectStdio(machine, "new"))).toEqual(["brew-tea"]);
    await machine.run(["trust", "--yes"]);
    expect(await namesOf(await connectStdio(machine, "new"))).toEqual(["brew-tea", "deploy"]);
  });

  it("serves over HTTP no project that nobody named", async () => {
    const machine = machines(files);
    await machine.run(["trust", "--yes"]);
    const without = await machine.start(["mcp", "--http", "0", "--json"]);
    expect(await namesOf(await connectHttp(JSON.parse(without.line).address, "new"))).toEqual(["brew-tea"]);
    const named = await machine.start(["mcp", "--http", "0", "--json", "--cwd", machine.at("project")]);
    expect(await namesOf(await connectHttp(JSON.parse(named.line).address, "new"))).toEqual(["brew-tea", "deploy"]);
  });

  it("writes nothing but messages to its output, answers them all, and ends with its input", async () => {
    const machine = machines({ ...files, "home/.agents/skills/Tea Time/SKILL.md": skill("Tea Time") });
    const clientInfo = { name: "test", version: "0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const messages = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "skills/list" },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "search_skills", arguments: { query: "tea" } } },
    ];
    const stdin = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { status, stdout, stderr } = await machine.run(["mcp"], { stdin });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(stderr).toMatch(/^skillholm: Tea Time: clients that use only the Skills extension do not see it/m);
    expect(status).toBe(0);
  });

  it("ends at once where there is no input, and where somebody ends it", async () => {
    const machine = machines(files);
    expect(await machine.run(["mcp"], { stdin: "" })).toMatchObject({ status: 0, stdout: "" });
    const running = await machine.start(["mcp", "--http", "0"]);
    expect(await running.end("SIGTERM")).toBe(0);
  });

  it("asks for a token where others can come in", async () => {
    const machine = machines(files);
    const running = await machine.start(["mcp", "--http", "0", "--json", "--host", "0.0.0.0"]);
    const { port, token } = JSON.parse(running.line);
    const address = `http://127.0.0.1:${port}/mcp`;
    const refused = await fetch(address, { method: "POST", body: "{}" });
    expect(refused.status).toBe(401);
    await useSkills(await connectHttp(address, "new", token));
  });

  it("turns away pages of other sites", async () => {
    const running = await machines(files).start(["mcp", "--http", "0", "--json"]);
    const { address } = JSON.parse(running.line);
    const headers = { origin: "http://evil.example", "content-type": "application/json" };
    expect((await fetch(address, { method: "POST", body: "{}", headers })).status).toBe(403);
  });

  it("is mounted by the web app, behind its key", async () => {
    const running = await machines(files).start(["serve", "--port", "0", "--json"]);
    const { address } = JSON.parse(running.line);
    const url = new URL("/mcp", address);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    await useSkills(await connectHttp(url.href, "new", new URL(address).searchParams.get("key") ?? ""));
  });

  it.each(["claude", "codex", "cursor", "vscode", "opencode", "gemini"])(
    "prints what to paste for %s",
    async (client) => {
      const machine = machines(files);
      const { stdout, status } = await machine.run(["mcp", "--print-config", client, "--cwd", machine.at("project")]);
      expect(status).toBe(0);
      for (const part of [process.execPath, bin, "mcp", machine.at("project")])
        expect(stdout).toContain(JSON.stringify(part));
      if (client !== "codex") JSON.parse(stdout);
      const http = await machine.run(["mcp", "--print-config", client, "--http", "4118"]);
      expect(http.stdout).toContain('"http://127.0.0.1:4118/mcp"');
    },
  );

  it("refuses what it does not know", async () => {
    const machine = machines(files);
    for (const args of [
      ["--print-config", "claud"],
      ["--http", "x"],
      ["--host", "127.0.0.1"],
    ]) {
      const { status, stderr } = await machine.run(["mcp", ...args]);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^skillholm: --/)]);
    }
  });

  it("has a doctor who says what strict clients do not see, and why", async () => {
    const machine = machines({
      ...files,
      "home/.agents/skills/Tea Time/SKILL.md": skill("Tea Time"),
      "home/.agents/skills/long/SKILL.md": skill("long", "Makes tea. ".repeat(200)),
    });
    const { json } = await machine.runJson(["doctor", "--for", "mcp"]);
    const { skills } = json as { readonly skills: readonly { readonly name: string; readonly mcp?: object }[] };
    const found = Object.fromEntries(skills.map(({ name, mcp }) => [name, mcp]));
    expect(found).toMatchObject({
      "brew-tea": { served: "whole" },
      long: { served: "shortened", reason: expect.stringContaining("1-1024") },
      "Tea Time": { served: "tools-only", reason: expect.stringContaining("a to z") },
    });
    const { stdout } = await machine.run(["doctor", "--for", "mcp"]);
    expect(stdout).toMatch(/skillholm mcp {2}gives it by tools only: /);
  });
});
