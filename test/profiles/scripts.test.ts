import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { createMachines } from "../../hosts/cli/test/command.ts";

const machine = createMachines();

function manifest(name: string, more = "", body = "Do it."): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n\n${body}\n`;
}

describe("remcochat: scripts", () => {
  const profile = ["--profile", "remcochat"];
  const enabled = { "project/config.toml": "[app.skills]\nenabled = true\n" };
  const place = "project/.skills/demo";
  const lay = (script: string, more = "") =>
    machine({ ...enabled, [`${place}/SKILL.md`]: manifest("demo", more), [`${place}/scripts/a.sh`]: script });

  it("S0-14, S0-109, S0-110 runs a script in the sandbox only: it sees nothing of the host", async () => {
    const home = lay(
      'ls "$1" 2>&1; cat /proc/1/cmdline | tr "\\0" " " | cut -d" " -f1; grep Seccomp: /proc/self/status',
    );
    const { json } = await home.runJson([
      "run",
      "demo",
      "scripts/a.sh",
      "--yes",
      ...profile,
      "--json",
      "--",
      home.at("home"),
    ]);
    expect(json).toMatchObject({ exitCode: 0, sandbox: "bubblewrap" });
    expect((json as { stdout: string }).stdout).toMatch(/No such file or directory\n\S*bwrap\nSeccomp:\s2\n$/);
    // No tool of this profile runs anything.
    const { json: tools } = await home.runJson(["tool", ...profile]);
    expect((tools as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      "skills.activate",
      "skills.readResource",
    ]);
  });

  it("S0-111 runs none where scripts are switched off, and asks where nobody said that they may", async () => {
    const home = lay("echo ran");
    const run = async (mode: string, ...more: readonly string[]) => {
      const env = { SKILLHOLM_SKILLS_SCRIPTS: mode };
      return (await home.runJson(["run", "demo", "scripts/a.sh", ...profile, ...more], { env })).json;
    };
    expect(await run("off", "--yes")).toMatchObject({ error: { code: "script-not-allowed" } });
    expect(await run("ask")).toMatchObject({ error: { code: "permission-denied" } });
    expect(await run("ask", "--yes")).toMatchObject({ stdout: "ran\n" });
    expect(await run("allow")).toMatchObject({ stdout: "ran\n" });
  });

  it("S0-112, S0-117, S0-118 logs what allowed-tools lack, and with enforce refuses it", async () => {
    const run = async (more: string, mode = "log") => {
      const env = { SKILLHOLM_SKILLS_ALLOWED_TOOLS: mode };
      return lay("echo ran", more).run(["run", "demo", "scripts/a.sh", "--yes", ...profile], { env });
    };
    const lacks = expect.stringContaining("Bash(scripts/a.sh:*)");
    expect(await run("allowed-tools: Read\n")).toEqual({ status: 0, stdout: "ran\n", stderr: lacks });
    expect(await run("allowed-tools: Read\n", "enforce")).toEqual({ status: 1, stdout: "", stderr: lacks });
    expect(await run("allowed-tools: Read Bash(scripts/*:*)\n", "enforce")).toMatchObject({
      status: 0,
      stdout: "ran\n",
    });
    const { json } = await lay("", "allowed-tools: Read Bash(git:*)\n").runJson([
      "tool",
      "skills.activate",
      '{"name":"demo"}',
      ...profile,
    ]);
    expect(json).toMatchObject({ frontmatter: { "allowed-tools": "Read Bash(git:*)" } });
  });

  it("S0-113, S0-114, S0-115 cuts what is over the soft limit, with a notice, and warns once", async () => {
    const files = {
      ...enabled,
      [`${place}/SKILL.md`]: manifest("demo", "", "é".repeat(150_000)),
      [`${place}/references/long.md`]: "é".repeat(1_000_001),
    };
    const home = machine(files);
    const call = (name: string, input: object) => home.run(["tool", name, JSON.stringify(input), ...profile, "--json"]);
    const activated = await call("skills.activate", { name: "demo" });
    const body = (JSON.parse(activated.stdout) as { body: string }).body;
    expect(body).toMatch(/é\n\n\[REMCOCHAT_SKILLS_TRUNCATED: SKILL\.md; \d+ bytes removed\]$/);
    expect(activated.stderr.match(/demo: SKILL\.md is over the limit/g)).toHaveLength(1);
    const { stdout } = await call("skills.readResource", { name: "demo", path: "references/long.md" });
    const { content } = JSON.parse(stdout) as { content: string };
    expect(content).toMatch(/é\n\n\[REMCOCHAT_SKILLS_TRUNCATED: resource; 2 bytes removed\]$/);
  });

  it("S0-116 keeps to hard caps whatever the soft limit is", async () => {
    const home = machine({
      ...enabled,
      [`${place}/SKILL.md`]: manifest("demo"),
      [`${place}/references/long.md`]: "x".repeat(17 * 1024 * 1024),
    });
    const env = { SKILLHOLM_SKILLS_MAX_RESOURCE_BYTES: "1000000000" };
    const input = '{"name":"demo","path":"references/long.md"}';
    const { json } = await home.runJson(["tool", "skills.readResource", input, ...profile], { env });
    const { content } = json as { content: string };
    expect(content.slice(-80)).toContain(`resource; ${1024 * 1024} bytes removed]`);
  });

  it("S0-124 runs the conformance skill's script in the sandbox", async () => {
    const { status, json } = await machine({}).runJson(["selftest", ...profile]);
    expect(status).toBe(0);
    expect((json as { steps: object[] }).steps.at(-1)).toEqual({
      step: 5,
      name: "run the script",
      status: "passed",
      detail: "scripts/echo.sh ran by the command, in bubblewrap",
    });
  });
});

describe("agent-base: scripts", () => {
  const place = "home/.agent/skills/demo";
  const scripts = {
    "hello.ts": "#!/usr/bin/env bun\n// Says hello.\n// Takes a name.\nconsole.log(process.argv[2]);",
    "where.js": 'console.log(process.cwd(), process.pid, Object.keys(process.env).includes("TOKEN"))',
    "json.sh": `printf '{"a": [1, 2]}'`,
    "slow.sh": "sleep 90",
    "loud.sh": "while :; do echo ééééééééééééééé; done",
    "fails.sh": "echo because >&2; exit 4",
    "greet.ts": "/** Greets. */\nconst [, , name = 'you']: string[] = process.argv; console.log('hello', name);",
  };
  const files = Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`${place}/scripts/${name}`, text]));
  const home = machine({ [`${place}/SKILL.md`]: manifest("demo"), ...files });
  const call = async (tool: string, input: object, env: Readonly<Record<string, string>> = {}) => {
    const args = ["tool", tool, JSON.stringify({ skill_name: "demo", ...input }), "--yes", "--profile", "agent-base"];
    const { status, json } = await home.runJson(args, { env });
    return { status, ...(json as object) };
  };

  it("S2-6, S2-50 runs a script as a process of its own, in the shapes that were planned", async () => {
    expect(await call("script_run", { script_name: "greet.ts", args: ["; id"] })).toEqual({
      status: 0,
      success: true,
      result: "hello ; id\n",
      message: expect.stringMatching(/^greet\.ts ran in \d+ ms\.$/),
    });
    const json = { script_name: "scripts/json.sh", json_output: true };
    expect(await call("script_run", json)).toMatchObject({ status: 0, success: true, result: { a: [1, 2] } });
    expect(await call("script_run", { script_name: "greet.ts", json_output: true })).toEqual({
      status: 1,
      success: false,
      error: "parse_error",
      message: expect.stringContaining("It printed no JSON"),
    });
    const refused = { status: 1, success: false, message: expect.any(String) };
    expect(await call("script_run", { script_name: "none.sh" })).toEqual({ ...refused, error: "not_found" });
    expect(await call("script_run", { script_name: "../SKILL.md" })).toEqual({ ...refused, error: "not_found" });
    const failed = { status: 1, success: false, error: "execution_failed", message: "It ended with status 4. because" };
    expect(await call("script_run", { script_name: "fails.sh" })).toEqual(failed);
    for (const args of [["x".repeat(4097)], Array.from({ length: 101 }, () => "x")]) {
      expect(await call("script_run", { script_name: "greet.ts", args })).toEqual({
        ...refused,
        error: "args_too_large",
      });
    }
    expect(await call("script_list", {})).toMatchObject({ success: true, result: Object.keys(scripts).sort() });
    const help = await call("script_help", { script_name: "hello.ts" });
    expect(help).toMatchObject({ success: true, result: "Says hello.\nTakes a name." });
    expect(await call("script_help", { script_name: "greet.ts" })).toMatchObject({ result: "Greets." });
    expect(await call("script_help", { script_name: "none.sh" })).toEqual({ ...refused, error: "not_found" });
  });

  it("S2-51 ends a script after 60 seconds, with everything that it started", { timeout: 90_000 }, async () => {
    const start = performance.now();
    expect(await call("script_run", { script_name: "slow.sh" })).toEqual({
      status: 1,
      success: false,
      error: "timeout",
      message: expect.stringContaining("It was ended after 600"),
    });
    expect(performance.now() - start).toBeGreaterThan(60_000);
    expect(readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid) === "sleep 90 ")).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("skillholm-run-") && !isAlive(name))).toEqual([]);
  });

  it("S2-52 ends a script that writes more than 1 MiB", async () => {
    const run = ["run", "demo", "scripts/loud.sh", "--yes", "--profile", "agent-base"];
    const { json } = await home.runJson(run);
    const { stdout, truncated } = json as { stdout: string; truncated: boolean };
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(stdout)).toBeGreaterThan(1024 * 1024 - 4);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(1024 * 1024);
    expect(await call("script_run", { script_name: "loud.sh" })).toMatchObject({
      success: false,
      error: "execution_failed",
    });
  });

  it("S2-53 runs a script in the skill's folder, without our environment", async () => {
    const { result } = (await call("script_run", { script_name: "where.js" }, { TOKEN: "x" })) as unknown as {
      result: string;
    };
    expect(result).toMatch(new RegExp(`^${home.at(place)} \\d+ false\n$`));
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function isAlive(folder: string): boolean {
  try {
    process.kill(Number(/\d+/.exec(folder)?.[0]), 0);
    return true;
  } catch {
    return false;
  }
}
