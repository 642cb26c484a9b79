import { describe, expect, it } from "vitest";
import { createMachines, skill } from "./command.ts";

const machine = createMachines();
const address = /^Skillholm is at (http:\/\/127\.0\.0\.1:\d+\/)(?:\?key=([\w-]+))?$/;

describe("serve", () => {
  it("prints one line with its address when it is ready, and ends when it is told to", async () => {
    const { start } = machine({ "home/.agents/skills/brew-tea/SKILL.md": skill("brew-tea", "Makes tea.") });
    const server = await start(["serve", "--port", "0"]);
    const [, url = "", key = ""] = address.exec(server.line) ?? [];
    const page = await (await fetch(url)).text();
    expect(page).toContain("<title>Skillholm</title>");
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\//);
    expect((await fetch(`${url}api/skills`)).status).toBe(401);
    const listed = await fetch(`${url}api/skills`, { headers: { authorization: `Bearer ${key}` } });
    expect((await listed.json()).skills).toContainEqual(expect.objectContaining({ name: "brew-tea" }));
    expect(await server.end("SIGINT")).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("takes the next port when one is taken, and says so", async () => {
    const { start } = machine({});
    const first = await start(["serve", "--port", "0", "--no-key"]);
    const port = new URL(address.exec(first.line)?.[1] ?? "").port;
    const second = await start(["serve", "--port", port, "--no-key", "--json"]);
    expect(JSON.parse(second.line)).toMatchObject({ address: expect.stringContaining("http://127.0.0.1:") });
    await expect.poll(second.notes).toMatch(new RegExp(`^Port ${port} is taken; this is \\d+\\.\n$`));
  });

  it("answers everybody on this machine with --no-key, and nobody else", async () => {
    const { start, runJson } = machine({});
    const { line } = await start(["serve", "--port", "0", "--no-key"]);
    expect((await fetch(`${address.exec(line)?.[1]}api/skills`)).status).toBe(200);
    expect(await runJson(["serve", "--host", "0.0.0.0", "--no-key"])).toMatchObject({
      status: 2,
      json: { error: { code: "invalid-input", message: expect.stringContaining("--no-key") } },
    });
  });

  it.each(["http", "-1", "65536", "1.5", ""])("refuses %j as a port", async (port) => {
    const { json, status } = await machine({}).runJson(["serve", `--port=${port}`]);
    expect({ json, status }).toMatchObject({ status: 2, json: { error: { code: "invalid-input" } } });
  });

  it("says what is wrong with chats that cannot be read, and serves the skills all the same", async () => {
    const { start } = machine({ "data/skillholm/chats.db": "not a database" });
    const { line } = await start(["serve", "--port", "0", "--no-key"]);
    const url = address.exec(line)?.[1];
    const chats = await fetch(`${url}api/chats`);
    expect(chats.status).toBe(503);
    expect((await chats.json()).error.message).toMatch(/chats\.db cannot be used/);
    expect((await fetch(`${url}api/skills`)).status).toBe(200);
  });
});
