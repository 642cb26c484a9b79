import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { openSkills } from "@skillholm/core";
import { describe, expect, it, vi } from "vitest";
import { memorySkills } from "../../../test/support/skills.ts";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { createHttpSessions } from "../src/http-sessions.ts";
import { createServers } from "../src/server.ts";
import { connect, hostOf, serviceOf } from "./support.ts";

const tea = { "tea/SKILL.md": skillText("tea") };

async function onDisk(files: Readonly<Record<string, string>>) {
  const folder = layTree(files);
  const root = { path: folder, scope: "user", trusted: true, writable: true, links: "inside" } as const;
  return { folder, skills: await openSkills({ roots: [root] }) };
}

function initialize(): Request {
  const clientInfo = { name: "test", version: "0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  return post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
}

function post(body: object, headers: Readonly<Record<string, string>> = {}): Request {
  const accept = "application/json, text/event-stream";
  const all = { "content-type": "application/json", accept, ...headers };
  return new Request("http://localhost/mcp", { method: "POST", body: JSON.stringify(body), headers: all });
}

describe.each(["old", "new"] as const)("changes, for %s clients", (era) => {
  it("are told as they happen", async () => {
    const { folder, skills } = await onDisk(tea);
    const heard = new Set<string>();
    const on = (what: string) => ({ autoRefresh: false, debounceMs: 0, onChanged: () => void heard.add(what) });
    const listChanged = { tools: on("tools"), prompts: on("prompts"), resources: on("resources") };
    const client = await connect(serviceOf(hostOf(skills)), era, { listChanged });
    await skills.watch().ready;
    mkdirSync(join(folder, "coffee"));
    writeFileSync(join(folder, "coffee/SKILL.md"), skillText("coffee"));
    await vi.waitFor(() => expect([...heard].sort()).toEqual(["prompts", "resources", "tools"]), { timeout: 5000 });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["coffee", "tea"]);
  });
});

describe("sessions over HTTP", () => {
  it("are bounded: the one that was idle for the longest gives way", async () => {
    const sessions = createHttpSessions(createServers(hostOf(await memorySkills(tea))), {
      opened: () => undefined,
      closed: () => undefined,
      maxRequestBodySize: 1024,
      most: 2,
    });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const response = await sessions.handle(initialize());
      ids.push(response.headers.get("mcp-session-id") ?? "");
    }
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    const statuses = ids.map(async (id) => (await sessions.handle(post(ping, { "mcp-session-id": id }))).status);
    expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
    const ended = new Request("http://localhost/mcp", {
      method: "DELETE",
      headers: { "mcp-session-id": ids[1] ?? "" },
    });
    expect((await sessions.handle(ended)).status).toBe(200);
    expect((await sessions.handle(post(ping, { "mcp-session-id": ids[1] ?? "" }))).status).toBe(404);
    await sessions.close();
    expect((await sessions.handle(post(ping, { "mcp-session-id": ids[2] ?? "" }))).status).toBe(404);
  });

  it("refuse what is too large, and what did not begin with a handshake", async () => {
    const service = serviceOf(hostOf(await memorySkills(tea)));
    const large = { jsonrpc: "2.0", id: 1, method: "ping", params: { text: "x".repeat(2 * 1024 * 1024) } };
    expect((await service.fetch(post(large))).status).toBe(413);
    expect((await service.fetch(post({ jsonrpc: "2.0", id: 1, method: "tools/list" }))).status).toBe(400);
  });
});

describe("streams", () => {
  it("are answered also where the input has ended", async () => {
    const service = serviceOf(hostOf(await memorySkills(tea)));
    const [input, output] = [new PassThrough(), new PassThrough()];
    let text = "";
    output.on("data", (chunk) => {
      text += chunk;
    });
    const served = service.serve(input, output);
    const lines = [await initialize().json(), { jsonrpc: "2.0", id: 2, method: "tools/list" }];
    input.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await new Promise(setImmediate);
    await served.answered();
    await served.close();
    const answers = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([{ id: 1, result: { serverInfo: { name: "skillholm" } } }, { id: 2 }]);
  });

  it("stop what a client no longer wants", async () => {
    const skills = await memorySkills(tea);
    const search = vi.spyOn(skills, "search");
    const host = hostOf(skills);
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isSlow = false;
    const open = async (answer?: "yes" | "no") => {
      if (isSlow) reached.resolve();
      if (isSlow) await gate.promise;
      return host.open(answer);
    };
    const client = await connect(serviceOf({ ...host, open }), "new");
    isSlow = true;
    const stop = new AbortController();
    const call = client.callTool({ name: "search_skills", arguments: { query: "tea" } }, { signal: stop.signal });
    await reached.promise;
    stop.abort("enough");
    await expect(call).rejects.toThrow();
    gate.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(search).not.toHaveBeenCalled();
  });
});
