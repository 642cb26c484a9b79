import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { layTree } from "./support/tree.ts";

const repo = fileURLToPath(new URL("..", import.meta.url));

/** `npm start` as a newcomer types it, in a process group of its own. */
async function start() {
  const home = layTree({});
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const child = spawn("npm", ["start", "--silent", "--", "--port", "0"], { cwd: repo, env, detached: true });
  const pid = child.pid ?? 0;
  onTestFinished(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended, which is what the test is about.
    }
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const line = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  const url = line.replace("Skillholm is at ", "").replace(/\?.*/, "");
  const isThere = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  return { pid, ended, isThere };
}

describe("npm start", () => {
  it("opens the page, and ends with Ctrl-C", async () => {
    const { pid, ended, isThere } = await start();
    expect(await isThere()).toBe(true);
    process.kill(-pid, "SIGINT");
    await ended;
    expect(await isThere()).toBe(false);
  });

  it.each(["SIGTERM", "SIGHUP", "SIGKILL"] as const)("leaves no server behind when npm gets %s", async (signal) => {
    const { pid, isThere } = await start();
    expect(await isThere()).toBe(true);
    process.kill(pid, signal);
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
  });
});
