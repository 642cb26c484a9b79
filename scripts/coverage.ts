// Runs the tests of test/profiles and prints, for each requirement of the five systems, whether it holds.
//   npm run coverage [-- --all]      --all: also those that pass
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirements } from "../test/profiles/requirements.ts";
import { statuses } from "../test/profiles/status.ts";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "skillholm-coverage-"));
const file = join(folder, "report.json");
try {
  const command = [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "test/profiles",
    "test/package.test.ts",
    "--reporter=json",
    `--outputFile=${file}`,
  ];
  spawnSync(process.execPath, command, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  print(JSON.parse(readFileSync(file, "utf8")) as Report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function print({ testResults }: Report): void {
  const results = new Map<string, boolean>();
  for (const { title, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const [, numbers = ""] = /^((?:S\d-\d+)(?:, S\d-\d+)*) /.exec(title) ?? [];
    for (const id of numbers.split(", ").filter(Boolean))
      results.set(id, (results.get(id) ?? true) && status === "passed");
  }
  const counts = new Map<string, number>();
  for (const [id, title] of Object.entries(requirements)) {
    const state = stateOf(id, results.get(id));
    const kind = state.split(":")[0] ?? state;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind !== "passes" || process.argv.includes("--all"))
      console.log(`${id.padEnd(7)} ${state.padEnd(24)} ${title}`);
  }
  console.log([...counts].map(([kind, count]) => `${kind} ${count}`).join(" · "));
  if (counts.has("FAILS") || counts.has("MISSING")) process.exitCode = 1;
}

function stateOf(id: string, passed: boolean | undefined): string {
  const status = statuses[id];
  if (passed !== undefined) return passed ? "passes" : "FAILS";
  if (status === undefined) return "MISSING";
  return "issue" in status ? `not yet: issue ${status.issue}` : `deviates: ${status.deviates}`;
}
