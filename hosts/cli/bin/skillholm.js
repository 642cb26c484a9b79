#!/usr/bin/env node
// Plain JavaScript for any Node: it must be able to say which one is needed.
import { existsSync, mkdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const own = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));
  const where = existsSync(own)
    ? `This repository brings its own: ${own}`
    : "In a clone of the repository, `npm run setup` brings it; elsewhere install a newer Node.";
  process.stderr.write(`skillholm needs Node 22.18 or newer; this is ${process.version}.\n${where}\n`);
  process.exitCode = 2;
} else {
  keepCompiled();
  import("../src/main.ts").then((cli) => cli.main(process.argv.slice(2)));
}

// Parsed modules are kept between runs: half the time to start, and less memory. Folders are made one by one, since
// below /proc a recursive call never returns.
function keepCompiled() {
  try {
    const xdg = process.env.XDG_CACHE_HOME;
    const base = xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".cache");
    const folder = join(base, "skillholm");
    for (const path of [base, folder]) if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    nodeModule.enableCompileCache(join(folder, "compile"));
  } catch {
    // Without a place for it every run compiles anew.
  }
}
