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
const runsTests = task === "test" && (rest.length === 0 || rest.includes("tests"));
if (runsTests) installBrowser();
if (runsTests || task !== "test") installSandbox();
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
  const problem = installSystemPackage("chromium");
  if (problem !== undefined) {
    stop(`The tests need a browser: install the package \`chromium\`, or set CHROMIUM_PATH to one. ${problem}`);
  }
}

// Scripts of skills run in it. Without one they are refused, so that only the tests cannot do without.
function installSandbox() {
  if (process.platform !== "linux" || isOnPath("bwrap")) return;
  const problem = installSystemPackage("bubblewrap");
  if (problem === undefined) return;
  const message = `Scripts of skills need a sandbox: install the package \`bubblewrap\`. ${problem}`;
  if (task === "test") stop(message);
  say(message);
}

/** Where the system lets us, as root or by sudo without a password; else what stood in the way. */
function installSystemPackage(name) {
  const root = process.getuid?.() === 0;
  const sudo = !root && spawnSync("sudo", ["-n", "true"]).status === 0;
  if (!isOnPath("apt-get") || !(root || sudo)) return "It cannot be installed from here. No test is skipped.";
  say(`Installing ${name}…`);
  const apt = (args) => tryRun(root ? "apt-get" : "sudo", root ? args : ["-n", "apt-get", ...args]);
  return apt(["update", "-qq"]) ?? apt(["install", "-y", "-qq", "--no-install-recommends", name]);
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
  const problem = tryRun(program, args, cwd);
  if (problem !== undefined) stop(`${failure} ${problem}`);
}

function tryRun(program, args, cwd = root) {
  const quiet = process.env.CI ? "inherit" : ["ignore", "ignore", "inherit"];
  const { status, error } = spawnSync(program, args, { cwd, stdio: quiet, shell: process.platform === "win32" });
  return status === 0 ? undefined : `(${error?.message ?? `${program} ${args.join(" ")} ended with ${status}`})`;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}
