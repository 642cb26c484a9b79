// Brings everything that is missing, then runs what was asked for. Plain JavaScript: it must run under any Node.
//   node scripts/set-up.mjs           installs only
//   node scripts/set-up.mjs start …   then opens the web app
//   node scripts/set-up.mjs test …    then runs every check and test
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const ownNode = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const [task, ...rest] = process.argv.slice(2);

const stamp = join(modules, ".skillholm-set-up");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (!isInstalled()) {
  installPackages();
  installNode();
  writeFileSync(stamp, wanted);
}
if (task === "test" && (rest.length === 0 || rest.includes("tests"))) installBrowser();
if (task === "start") runNode("hosts/cli/bin/skillholm.js", ["serve", ...rest]);
if (task === "test") runNode("scripts/test.ts", rest);

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && existsSync(ownNode);
}

function installPackages() {
  say("Installing packages…");
  run("npm", ["ci", "--loglevel=error", "--no-audit", "--no-fund"], "The packages could not be installed.");
}

// The binary of the package `node` comes by an install script, which newer npm holds back: then it is run here.
function installNode() {
  const wanted = JSON.parse(readFileSync(join(modules, "node", "package.json"), "utf8")).version;
  if (nodeVersion() !== `v${wanted}`) {
    say(`Installing Node ${wanted}…`);
    run(process.execPath, ["installArchSpecificPackage.js"], "Node could not be installed.", join(modules, "node"));
  }
  const found = nodeVersion();
  if (found !== `v${wanted}`)
    stop(`The repository's own Node should be v${wanted}, but ${ownNode} is ${found || "missing"}.`);
  const link = join(modules, ".bin", "node");
  if (process.platform === "win32" || existsSync(link)) return;
  mkdirSync(join(modules, ".bin"), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join("..", "node", "bin", "node"), link);
}

function nodeVersion() {
  return spawnSync(ownNode, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
}

function installBrowser() {
  if (process.env.CHROMIUM_PATH || ["chromium", "chromium-browser", "google-chrome"].some(isOnPath)) return;
  const root = process.getuid?.() === 0;
  const sudo = !root && spawnSync("sudo", ["-n", "true"]).status === 0;
  if (!isOnPath("apt-get") || !(root || sudo)) {
    stop("The tests need a browser: install the package `chromium`, or set CHROMIUM_PATH to one. No test is skipped.");
  }
  say("Installing chromium…");
  const apt = (args) =>
    run(root ? "apt-get" : "sudo", root ? args : ["-n", "apt-get", ...args], "chromium could not be installed.");
  apt(["update", "-qq"]);
  apt(["install", "-y", "-qq", "--no-install-recommends", "chromium"]);
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Under the repository's own Node, which the child's children find first too. Who ends this ends that. */
function runNode(script, args) {
  const env = { ...process.env, PATH: join(modules, ".bin") + delimiter + process.env.PATH };
  const child = spawn(ownNode, [join(root, script), ...args], { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => stop(error.message));
  child.on("exit", (status) => {
    process.exitCode = status ?? 1;
  });
}

function run(program, args, failure, cwd = root) {
  const quiet = process.env.CI ? "inherit" : ["ignore", "ignore", "inherit"];
  const { status, error } = spawnSync(program, args, { cwd, stdio: quiet, shell: process.platform === "win32" });
  if (status !== 0) stop(`${failure} (${error?.message ?? `${program} ${args.join(" ")} ended with ${status}`})`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}
