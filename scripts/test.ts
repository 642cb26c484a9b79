// Every check and test, one after the other. `npm test -- NAME…` runs only the steps of those names.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const steps: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ["lint", "biome", "check", "--error-on-warnings"],
  ["types", "tsc"],
  ["unused", "knip"],
  ["build", "node", "scripts/build.ts"],
  ["package", "publint", "dist/skillholm", "--strict"],
  ["exports", "attw", "--pack", "dist/skillholm", "--profile", "esm-only", "--quiet"],
  ["tests", "vitest", "run"],
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some(([step]) => step === name));
if (unknown.length > 0) {
  console.error(`No step "${unknown.join('", "')}". Steps: ${steps.map(([name]) => name).join(", ")}.`);
  process.exit(2);
}
let failed = 0;
let passed = 0;
for (const [name, program, ...args] of steps) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const start = performance.now();
  console.log(`\n── ${name}: ${program} ${args.join(" ")}`);
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (error !== undefined) console.error(error.message);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`── ${name}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  if (status === 0) passed++;
  else failed++;
}
console.log(`\nchecks: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
