// Builds the page into hosts/web/dist when something that it is made of changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder of a page that is as its sources are now. */
export function buildPage(web: string = join(root, "hosts/web")): string {
  const out = join(web, "dist");
  const stamp = join(out, ".made-of");
  const wanted = hashInputs(web);
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (isFresh()) return out;
  process.stderr.write("Building the page…\n");
  // Beside it first: who is served meanwhile keeps the whole old one.
  const draft = join(web, `dist-${process.pid}`);
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--outDir", draft, "--emptyOutDir", "--logLevel", "warn"];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: web,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`the page could not be built:\n${stderr}`);
  }
  writeFileSync(join(draft, ".made-of"), wanted);
  try {
    replaceFolder(draft, out);
  } catch (error) {
    // Somebody else was faster.
    rmSync(draft, { recursive: true, force: true });
    if (!isFresh()) throw error;
  }
  return out;
}

function hashInputs(web: string): string {
  const hash = createHash("sha256");
  for (const path of [join(root, "package-lock.json"), ...listInputs(web)]) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

function listInputs(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.isDirectory())
      return /^(dist.*|node_modules|test)$/.test(entry.name) ? [] : listInputs(join(folder, entry.name));
    return [join(folder, entry.name)];
  });
}

function replaceFolder(from: string, to: string): void {
  const old = `${to}-old-${process.pid}`;
  mkdirSync(to, { recursive: true });
  renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}
