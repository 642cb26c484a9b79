import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { createEngine } from "@skillholm/engine";
import { describe, expect, it, onTestFinished } from "vitest";
import { layTree, skillText } from "../../../test/support/tree.ts";
import { type RunningServer, type ServerOptions, startServer } from "../src/index.ts";

const files = {
  "home/.agents/skills/brew-tea/SKILL.md": `${skillText("brew-tea", "Makes tea.")}\nMARKER-IN-THE-BODY\n`,
  "home/.agents/skills/broken/SKILL.md": "no frontmatter",
  "page/index.html": "<!doctype html><title>the page</title>",
  "page/assets/app.js": "hello();",
  "page/secret.json": "{}",
  "secret.txt": "not the page's",
};

async function start(options: Partial<Omit<ServerOptions, "log">> = {}, base = layTree(files)) {
  const engine = createEngine({ cwd: join(base, "home"), env: { HOME: join(base, "home") } });
  const defaults = {
    engine,
    page: join(base, "page"),
    version: "1.2.3",
    host: "127.0.0.1",
    port: 0,
    key: "none",
    log: () => undefined,
  } as const;
  const server = await startServer({ ...defaults, ...options });
  onTestFinished(() => server.close());
  return { base, server, at: (path: string) => `http://127.0.0.1:${server.port}${path}` };
}

function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method: "POST", body: text, headers: { "content-type": "application/json", ...headers } });
}

/** The status of a request with headers that `fetch` does not let a test choose. */
async function statusWith(
  server: RunningServer,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const sent = request({ port: server.port, host: "127.0.0.1", path, headers }).end();
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
}

describe("the API", () => {
  it("answers JSON-RPC, as the command does on its standard input", async () => {
    const { at, base } = await start();
    const list = await post(at("/api/rpc"), { jsonrpc: "2.0", id: 1, method: "skills.list" });
    expect(await list.json()).toMatchObject({ id: 1, result: { errors: [{ message: expect.any(String) }] } });
    const call = { name: "activate_skill", input: { name: "brew-tea" } };
    const loaded = await post(at("/api/rpc"), { jsonrpc: "2.0", id: 2, method: "tools.call", params: call });
    expect(await loaded.json()).toMatchObject({ result: { content: expect.stringContaining("MARKER-IN-THE-BODY") } });
    const inspect = await post(at("/api/rpc"), { jsonrpc: "2.0", id: 3, method: "context.inspect" });
    const path = join(base, "home/.agents/skills/brew-tea/SKILL.md");
    expect(await inspect.json()).toMatchObject({
      result: { skills: { loaded_versions: [{ path, mtime_ms: expect.any(Number) }] } },
    });
    expect((await post(at("/api/rpc"), { jsonrpc: "2.0", method: "initialize" })).status).toBe(204);
  });

  it("lists the skills and those that are not listed, as the command does", async () => {
    const { at } = await start();
    const body = await (await fetch(at("/api/skills"))).json();
    expect(body.skills).toContainEqual(
      expect.objectContaining({ name: "brew-tea", description: "Makes tea.", scope: "user", enabled: true }),
    );
    expect(body.hidden).toMatchObject([{ name: "broken", state: "invalid" }]);
    expect(body).toMatchObject({ truncated: false, elsewhere: [] });
  });

  it("says that the guide is no language model", async () => {
    const { at } = await start();
    expect(await (await fetch(at("/api/info"))).json()).toMatchObject({
      version: "1.2.3",
      model: { id: "guide", languageModel: false },
    });
    expect(await (await fetch(at("/api/health"))).json()).toEqual({ ok: true });
  });

  it("says where scripts run without a sandbox", async () => {
    const { at, base } = await start();
    expect(await (await fetch(at("/api/info"))).json()).toMatchObject({ unsandboxed: false });
    const env = { HOME: join(base, "home"), SKILLHOLM_SKILLS_SANDBOX: "none" };
    const engine = { ...createEngine({ cwd: join(base, "home"), env }), isUnsandboxed: async () => true };
    const open = await start({ engine }, base);
    expect(await (await fetch(open.at("/api/info"))).json()).toMatchObject({ unsandboxed: true });
  });

  it("streams a turn, and has it after a restart", async () => {
    const { at, base, server } = await start();
    const response = await post(at("/api/chats/c1/messages"), { id: "m1", text: "Make tea" });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = await response.text();
    expect(events).toContain('"toolName":"activate_skill"');
    expect(events).toContain("MARKER-IN-THE-BODY");
    expect(events.trimEnd().endsWith("data: [DONE]")).toBe(true);
    await server.close();

    const again = await start({}, base);
    expect((await (await fetch(again.at("/api/chats"))).json()).chats).toMatchObject([{ id: "c1", title: "Make tea" }]);
    const chat = await (await fetch(again.at("/api/chats/c1"))).json();
    expect(chat.messages.map((message: { role: string }) => message.role)).toEqual(["user", "assistant"]);
    expect(JSON.stringify(chat.messages[1])).toContain("MARKER-IN-THE-BODY");
  });

  it.each([
    ["no JSON", "{", 400, {}],
    ["a list", [], 400, {}],
    ["a number as text", { id: "m", text: 1 }, 400, {}],
    ["an empty text", { id: "m", text: "" }, 400, {}],
    ["an odd id", { id: "m/1", text: "tea" }, 400, {}],
    ["another content type", { id: "m", text: "tea" }, 415, { "content-type": "text/plain" }],
    ["another site's page", { id: "m", text: "tea" }, 403, { origin: "http://evil.example" }],
    ["a megabyte and more", { id: "m", text: "x".repeat(1024 * 1024) }, 413, {}],
  ])("refuses %s with a reason, and keeps nothing", async (_, body, status, headers) => {
    const { at } = await start();
    const response = await post(at("/api/chats/c1/messages"), body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    expect((await (await fetch(at("/api/chats"))).json()).chats).toEqual([]);
  });

  it("says what is not there", async () => {
    const { at } = await start();
    for (const path of ["/api/nothing", "/api/chats/none"]) {
      const response = await fetch(at(path));
      expect([response.status, await response.json()]).toEqual([
        404,
        { error: { code: "resource-not-found", message: expect.any(String) } },
      ]);
    }
  });

  it("answers only to names that cannot be pointed at it from outside", async () => {
    const { server } = await start();
    const { port } = server;
    expect(await statusWith(server, "/api/health", { host: `localhost:${port}` })).toBe(200);
    expect(await statusWith(server, "/api/health", { host: `[::1]:${port}` })).toBe(200);
    expect(await statusWith(server, "/api/health", { host: `evil.example:${port}` })).toBe(403);
    expect(await statusWith(server, "/", { host: "127.0.0.1.evil.example" })).toBe(403);
    expect(await statusWith(server, "/", { host: `127.0.0.1:${port}`, origin: "null" })).toBe(403);
  });
});

describe("the key", () => {
  it("is asked for by everything but the page's files and health", async () => {
    const { at, server } = await start({ key: "required" });
    const key = new URL(server.address).searchParams.get("key") ?? "";
    expect(key.length).toBeGreaterThanOrEqual(32);
    for (const path of ["/", "/assets/app.js", "/api/health"]) expect((await fetch(at(path))).status).toBe(200);
    for (const path of ["/api/skills", "/api/chats", "/api/info", "/api/nothing"]) {
      expect((await fetch(at(path))).status).toBe(401);
      expect((await fetch(at(path), { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    }
    expect((await post(at("/api/chats/c/messages"), { id: "m", text: "tea" })).status).toBe(401);
    expect((await fetch(at("/api/skills"), { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  it("becomes a cookie that no script reads, leaves the address, and is the same after a restart", async () => {
    const { base, server, at } = await start({ key: "required" });
    const response = await fetch(server.address, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const sent = { headers: { cookie: cookie.split(";")[0] ?? "" } };
    expect((await fetch(at("/api/skills"), sent)).status).toBe(200);
    const wrong = await fetch(at("/chat/1?key=wrong&x=1"), { redirect: "manual" });
    expect([wrong.headers.get("location"), wrong.headers.get("set-cookie")]).toEqual(["/chat/1?x=1", null]);
    for (const elsewhere of ["//evil.example/x?key=wrong", "///evil.example/x?key=wrong"]) {
      const away = await fetch(at(elsewhere), { redirect: "manual" });
      expect(away.headers.get("location")).toBe("/evil.example/x");
    }
    await server.close();
    const again = await start({ key: "required" }, base);
    expect(again.server.address.split("?")[1]).toBe(server.address.split("?")[1]);
  });

  it("cannot be turned off for others than this machine", async () => {
    await expect(start({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(start({ host: "", key: "required" })).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("the page", () => {
  it("is there at every address of its own, with a policy that lets nothing else in", async () => {
    const { at } = await start();
    for (const path of ["/", "/library", "/chat/abc", "/chat/a.b", "/chat/%zz"]) {
      const response = await fetch(at(path));
      expect(await response.text()).toContain("the page");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await fetch(at("/assets/app.js"))).headers.get("cache-control")).toContain("immutable");
  });

  it("serves only its own files", async () => {
    const { at, server } = await start();
    for (const path of ["/secret.json", "/assets/none.js"]) expect((await fetch(at(path))).status).toBe(404);
    for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"]) {
      expect(await statusWith(server, path, { host: "localhost" })).toBe(404);
    }
  });

  it("must have been built", async () => {
    const base = layTree({ "home/x": "", "page/x": "" });
    const reason = { code: "unavailable", message: expect.stringContaining("not built") };
    await expect(start({}, base)).rejects.toMatchObject(reason);
  });
});

describe("the port", () => {
  it("is the next free one when it is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { server } = await start({ port });
    expect(server.port).toBeGreaterThan(port);
    expect(server.address).toBe(`http://127.0.0.1:${server.port}/`);
  });

  it("is refused with the reason when it cannot be had", async () => {
    await expect(start({ host: "192.0.2.1", key: "required" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("192.0.2.1"),
    });
  });
});
