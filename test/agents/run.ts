// Real agents from npm, end to end: each is installed into a temporary folder, its model is a script on this machine, and its
// MCP configuration is what `skillholm mcp --print-config` prints. It has to find, activate and read a skill.
//   npm run agents [codex] [opencode]     needs npm's registry, and half a gigabyte for each for a while
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { agents, type RealAgent } from "./agents.ts";
import { serveScriptedModel } from "./scripted-model.ts";

const bin = fileURLToPath(new URL("../../hosts/cli/bin/skillholm.js", import.meta.url));
const mostMs = 120_000;

const files = {
  "brew-tea/SKILL.md":
    "---\nname: brew-tea\ndescription: Makes tea.\n---\nMARKER-OF-THE-BODY: read references/leaves.md.\n",
  "brew-tea/references/leaves.md": "MARKER-OF-THE-FILE\n",
};
const calls = [
  { tool: "search_skills", input: { query: "make tea" } },
  { tool: "activate_skill", input: { name: "brew-tea" } },
  { tool: "read_skill_resource", input: { name: "brew-tea", path: "references/leaves.md" } },
];
const expected = ["brew-tea", "MARKER-OF-THE-BODY", "MARKER-OF-THE-FILE"];

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(agents)) {
  const agent = agents[name];
  if (agent === undefined) throw new Error(`Nobody knows "${name}". Known: ${Object.keys(agents).join(", ")}.`);
  const folder = mkdtempSync(join(tmpdir(), "skillholm-agent-"));
  try {
    await drive(name, agent, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drive(name: string, agent: RealAgent, folder: string): Promise<void> {
  const home = join(folder, "home");
  const project = join(folder, "project");
  for (const [path, text] of Object.entries(files)) lay(join(home, ".agents/skills", path), text);
  mkdirSync(project);
  execFileSync("npm", ["install", "--prefix", folder, "--no-save", agent.package], { stdio: "ignore", cwd: folder });
  const model = await serveScriptedModel(calls);
  // Nothing of this machine's configuration reaches the agent.
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, ".codex") };
  const printed = execFileSync(process.execPath, [bin, "mcp", "--print-config", name], { env, stdio: "pipe" });
  lay(agent.config(home), agent.write(printed.toString(), { home, model: model.url }));
  const start = performance.now();
  const { status, output } = await run(join(folder, "node_modules/.bin", agent.command), agent.args, {
    cwd: project,
    env,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  model.close();
  const { results, tools } = model.heard;
  const steps = calls.map(({ tool }, index) => {
    return { tool, done: results[index]?.includes(expected[index] ?? "") === true };
  });
  const manifest = join(folder, "node_modules", agent.package, "package.json");
  console.log(`${name} ${JSON.parse(readFileSync(manifest, "utf8")).version}, ${seconds} s, status ${status}`);
  for (const { tool, done } of steps) console.log(`  ${done ? "done" : "MISSING"}  ${tool}`);
  if (status === 0 && steps.every(({ done }) => done)) return;
  process.exitCode = 1;
  console.log(`  it offered: ${[...tools].join(", ")}\n  results: ${JSON.stringify(results)}\n${output}`);
}

function lay(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: mostMs });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  return new Promise<{ readonly status: number | null; readonly output: string }>((resolve, reject) => {
    child.on("error", reject).on("close", (status) => resolve({ status, output }));
  });
}
