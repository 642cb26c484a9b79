import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { layTree } from "../../../test/support/tree.ts";
import { createScriptRunner } from "../src/index.ts";
import { seatbeltProfile } from "../src/seatbelt.ts";
import { mebibyte, requestFor, runInside } from "./run.ts";

describe("the runner", () => {
  it("finds the sandbox of this machine", async () => {
    expect(await createScriptRunner().check()).toEqual({ sandbox: "bubblewrap" });
  });

  it("gives a script its skill, its arguments, its input, and nothing else", async () => {
    const script = `
      pwd; echo "$SKILL_DIR"; echo "$SKILL_NAME"; printf '<%s>' "$@"; echo; echo "$SKILL_ARGS"; cat; cat "$SKILL_INPUT/a.txt"
      cat references/b.md; echo error > /dev/stderr; echo left > "$SKILL_OUTPUT/c.txt"; env | cut -d= -f1 | sort | tr '\\n' ' '; exit 3`;
    const outcome = await runInside({ "scripts/a.sh": script, "references/b.md": "of the skill\n" }, "scripts/a.sh", {
      args: ["one", "two words", "$(id)"],
      stdin: "from the caller\n",
      inputs: [{ path: "a.txt", content: new TextEncoder().encode("a file\n") }],
    });
    const dir = "/home/somebody/.agents/skills/trial";
    const names = ["HOME LANG PATH PWD", "SKILL_ARGS SKILL_DIR SKILL_INPUT SKILL_NAME SKILL_OUTPUT TMPDIR "].join(" ");
    expect({ ...outcome, durationMs: 0 }).toEqual({
      exitCode: 3,
      signal: null,
      stdout: `${dir}\n${dir}\ntrial\n<one><two words><$(id)>\n["one","two words","$(id)"]\nfrom the caller\na file\nof the skill\n${names}`,
      stderr: "error\n",
      truncated: false,
      durationMs: 0,
      timedOut: false,
      sandbox: "bubblewrap",
      files: [{ path: "c.txt", content: new TextEncoder().encode("left\n") }],
    });
  });

  it("runs each kind of script with its interpreter, without a shell", async () => {
    const kinds: Readonly<Record<string, string>> = {
      "scripts/a.sh": 'echo "$1"',
      "scripts/a.bash": 'x=("$1"); echo "$x"',
      "scripts/a.js": "console.log(process.argv[2])",
      "scripts/a.mjs": 'import { argv } from "node:process"; console.log(argv[2])',
      "scripts/a.ts": "const [, , given]: string[] = process.argv; console.log(given)",
      "scripts/named": "#!/usr/bin/env -S node --no-warnings\nconsole.log(process.argv[2])",
      "scripts/a.pl": 'print "$ARGV[0]\\n"',
    };
    for (const [script, source] of Object.entries(kinds)) {
      const { stdout, stderr } = await runInside({ [script]: source }, script, { args: ["; id"] });
      expect([script, stdout, stderr]).toEqual([script, "; id\n", ""]);
    }
  });

  it("chooses by the first line before the ending, from the system's folders only", () => {
    const runner = createScriptRunner();
    const choose = (script: string, start = "") => runner.interpreterOf(script, new TextEncoder().encode(start));
    expect(choose("a.py", "#!/home/me/bin/bash -e\n")).toMatchObject({ name: "bash", args: ["-e"] });
    expect(choose("a.js").path).toBe(choose("b", "#!/usr/bin/env node").path);
    expect(() => choose("a.exe")).toThrow("neither its first line nor its ending says how. Known: sh, bash, python,");
    expect(() => choose("a", "#!/bin/awk -f")).toThrow('its first line says "awk"');
    const nowhere = createScriptRunner({ folders: [] });
    expect(() => nowhere.interpreterOf("a.rb", new Uint8Array())).toThrow("needs ruby, which is not installed");
  });

  it("says what became of a script: its status, its signal, its time", async () => {
    expect(await runInside({ "scripts/a.sh": "exit 7" }, "scripts/a.sh")).toMatchObject({ exitCode: 7, signal: null });
    const killed = await runInside({ "scripts/a.sh": "kill -SEGV $$" }, "scripts/a.sh");
    expect(killed).toMatchObject({ exitCode: 139, signal: "SIGSEGV" });
    const late = await runInside({ "scripts/a.sh": "echo begun; sleep 30" }, "scripts/a.sh", { timeoutMs: 400 });
    expect(late).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true, stdout: "begun\n" });
    expect(late.durationMs).toBeLessThan(3000);
  });

  it("lets a script change a copy of its skill where the policy says so", async () => {
    const source = "echo new > scripts/b.txt && cat scripts/b.txt";
    const files = { "scripts/a.sh": source, "scripts/b.txt": "old\n" };
    expect((await runInside(files, "scripts/a.sh")).exitCode).not.toBe(0);
    expect((await runInside(files, "scripts/a.sh", { workspace: "copy" })).stdout).toBe("new\n");
  });

  it("opens one door at a time", async () => {
    const folder = layTree({ "in/a.txt": "readable" });
    mkdirSync(join(folder, "out"));
    const source = `cat ${folder}/in/a.txt; echo x > ${folder}/in/b.txt; echo written > ${folder}/out/c.txt; echo "$SKILLHOLM_TEST_TOKEN"`;
    process.env.SKILLHOLM_TEST_TOKEN = "given";
    onTestFinished(() => void delete process.env.SKILLHOLM_TEST_TOKEN);
    const run = async (grants: readonly string[]) => {
      const { stdout } = await runInside({ "scripts/a.sh": source }, "scripts/a.sh", { grants });
      return [stdout, readdirSync(join(folder, "in")), readdirSync(join(folder, "out"))];
    };
    expect(await run([])).toEqual(["\n", ["a.txt"], []]);
    expect(await run([`read:${folder}/in`])).toEqual(["readable\n", ["a.txt"], []]);
    expect(await run(["env:SKILLHOLM_TEST_TOKEN"])).toEqual(["given\n", ["a.txt"], []]);
    expect(await run([`write:${folder}/out`])).toEqual(["\n", ["a.txt"], ["c.txt"]]);
    expect(readFileSync(join(folder, "out/c.txt"), "utf8")).toBe("written\n");
    for (const wrong of ["write:/", "read:../x", "env:LD_PRELOAD", "env:NODE_OPTIONS", "everything", "read:/proc/1"]) {
      await expect(run([wrong])).rejects.toThrow("nothing that can be granted");
    }
    const network = await runInside({ "scripts/a.sh": "readlink /proc/self/ns/net" }, "scripts/a.sh", {
      grants: ["network"],
    });
    const { readlinkSync } = await import("node:fs");
    expect(network.stdout.trim()).toBe(readlinkSync("/proc/self/ns/net"));
  });

  it("refuses where there is no sandbox, and says what to install", async () => {
    const runner = createScriptRunner({ folders: [] });
    const { problem = "" } = await runner.check();
    expect(problem).toContain('install the package "bubblewrap"');
    const request = requestFor({ "scripts/a.sh": "echo ran" }, "scripts/a.sh");
    await expect(runner.run(request)).rejects.toMatchObject({ code: "unavailable", message: problem });
  });

  it("runs without one only where somebody says so, and still with limits and a clean environment", async () => {
    const runner = createScriptRunner({ folders: [], sandbox: "none" });
    expect(await runner.check()).toEqual({ sandbox: "none" });
    const source = 'cat; echo "$1"; env | cut -d= -f1 | sort | tr "\\n" " "; (setsid sleep 81.5 &); sleep 0.2';
    const outcome = await runner.run({
      ...requestFor({ "scripts/a.sh": source }, "scripts/a.sh"),
      args: ["; id"],
      stdin: "in\n",
    });
    expect(outcome).toMatchObject({ exitCode: 0, sandbox: "none" });
    expect(outcome.stdout).toMatch(/^in\n; id\nHOME LANG PATH PWD SKILL_ARGS /);
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    expect(all.filter((pid) => commandOf(pid).includes("sleep\u000081.5"))).toEqual([]);
  });

  it("refuses files whose names lead elsewhere, and two of one name", async () => {
    const content = new Uint8Array();
    for (const names of [["../x"], ["a/b"], [".."], ["a", "a"]]) {
      const inputs = names.map((path) => ({ path, content }));
      await expect(runInside({ "scripts/a.sh": "echo" }, "scripts/a.sh", { inputs })).rejects.toMatchObject({
        code: "invalid-input",
      });
    }
    const outside = runInside({ "scripts/a.sh": "echo", "../../x": "out" }, "scripts/a.sh");
    await expect(outside).rejects.toMatchObject({ code: "path-outside-skill" });
  });

  it("runs a skill that lies among the system's own files", async () => {
    const { stdout } = await runInside({ "scripts/a.sh": "pwd" }, "scripts/a.sh", { dir: "/usr/share/doc" });
    expect(stdout).toBe("/usr/share/doc\n");
  });

  it("refuses a skill with too much in it", async () => {
    const files = { "scripts/a.sh": "echo", "big.txt": "x".repeat(2 * mebibyte) };
    const run = runInside(files, "scripts/a.sh", { limits: { givenBytes: mebibyte } });
    await expect(run).rejects.toMatchObject({ code: "resource-too-large" });
  });

  it("writes a profile for macOS that closes everything first", () => {
    const places = { skill: "/r/skill", input: "/r/input", output: '/r/"o', node: "/n/node" };
    const profile = seatbeltProfile({ ...places, workspace: "scratch", grants: ["write:/work"] });
    expect(profile.split("\n").slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
    expect(profile).toContain('(allow file-write* (subpath "/r/\\"o") (subpath "/work") (literal "/dev/null"))');
    expect(profile).not.toContain("network");
  });
});

describe("what a script says", () => {
  it("is text, whatever it writes", async () => {
    const { stdout } = await runInside({ "scripts/a.sh": "printf 'a\\377b'" }, "scripts/a.sh");
    expect(stdout).toBe("a\ufffdb");
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
