import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMachines, type Machine, skill } from "../hosts/cli/test/command.ts";

/** What the official suite checks of one server. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  /** The suite wanted to call a tool of its own, which no real server has. */
  readonly details?: { readonly untestable?: boolean };
}

// What every server can be asked. The others call tools of the suite's own example server, as `test_image_content`.
const base: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "dns-rebinding-protection",
    "caching",
    "input-required-result-missing-input-response",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
    "http-header-validation",
  ],
};
const extension = ["sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory"];
const versions = Object.keys(base);

// The suite's own names for prompts: here they are skills.
const files = {
  "home/.agents/skills/a-skill/SKILL.md": skill("a-skill", "About tea.", "Read references/tea.md."),
  "home/.agents/skills/a-skill/references/tea.md": "Tea.\n",
  "home/.agents/skills/test_simple_prompt/SKILL.md": skill("test_simple_prompt"),
  "home/.agents/skills/test_prompt_with_arguments/SKILL.md":
    "---\nname: test_prompt_with_arguments\ndescription: Has two.\narguments: [arg1, arg2]\n---\n$arg1 and $arg2\n",
};

// Other places than its main file are not exported.
const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

const machines = createMachines();

/** Runs scenarios of the suite; its exit status counts those that are not for us, so that only the checks matter. */
async function runSuite(machine: Machine, address: string, args: readonly string[]): Promise<void> {
  const command = [suite, "server", "--url", address, "-o", machine.at("out"), ...args];
  const child = spawn(process.execPath, command, { cwd: machine.at("home"), stdio: "ignore" });
  await new Promise((resolve) => child.on("close", resolve));
}

async function start(): Promise<{ readonly machine: Machine; readonly address: string }> {
  const machine = machines(files);
  const { line } = await machine.start(["mcp", "--http", "0", "--json"]);
  return { machine, address: JSON.parse(line).address };
}

function checksOf(machine: Machine, scenario: string): readonly Check[] {
  const folder = readdirSync(machine.at("out")).find((name) => name.startsWith(`server-${scenario}-20`));
  return JSON.parse(readFileSync(join(machine.at("out"), folder ?? scenario, "checks.json"), "utf8"));
}

/** By scenario: what failed, or that nothing was checked. */
function problemsOf(machine: Machine, scenarios: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const found = scenarios.map((scenario) => {
    const checks = checksOf(machine, scenario);
    const failed = checks.filter(({ status, details }) => status === "FAILURE" && details?.untestable !== true);
    const problems = failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
    return [scenario, checks.some(({ status }) => status === "SUCCESS") ? problems : ["nothing was checked"]] as const;
  });
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0));
}

describe.each(versions)("the official conformance suite, as of %s", (version) => {
  it("passes in everything that a real server can be asked", { timeout: 120_000 }, async () => {
    const { machine, address } = await start();
    await runSuite(machine, address, ["--requirements", version]);
    expect(problemsOf(machine, base[version] ?? [])).toEqual({});
  });

  it("passes for the Skills extension, without a warning", { timeout: 120_000 }, async () => {
    const { machine, address } = await start();
    for (const scenario of extension) {
      await runSuite(machine, address, ["--scenario", scenario, "--spec-version", version, "--force"]);
    }
    expect(problemsOf(machine, extension)).toEqual({});
    const warned = extension.flatMap((name) => checksOf(machine, name)).filter(({ status }) => status === "WARNING");
    expect(warned).toEqual([]);
  });
});
