// The types of the package's entries, with everything that they mention and nothing else.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Writes the types of these sources into a folder; returns the path of each in it, in the same order. */
export function writeTypes(sources: readonly string[], folder: string): readonly string[] {
  const all = `${folder}.all`;
  const compiler = join(root, "node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", "tsconfig.build.json", "--outDir", all], { cwd: root, stdio: "inherit" });
  const copied = new Set<string>();
  const copy = (name: string): void => {
    if (copied.has(name)) return;
    copied.add(name);
    const text = readFileSync(join(all, name), "utf8").replace(
      /"@skillholm\/(\w+)(\/[\w-]+)?"/g,
      (_, workspace, entry) => {
        const path = relative(dirname(name), entryOf(workspace, entry));
        return `"${path.startsWith(".") ? path : `./${path}`}"`;
      },
    );
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    for (const [, next = ""] of text.matchAll(/"(\.\.?\/[^"]+)\.ts"/g)) copy(join(dirname(name), `${next}.d.ts`));
  };
  const names = sources.map((source) => relative("packages", source).replace(/\.ts$/, ".d.ts"));
  for (const name of names) copy(name);
  rmSync(all, { recursive: true });
  return names;
}

/** Users have no workspaces: the file that an import of one means. */
function entryOf(workspace: string, entry = ""): string {
  const { exports } = JSON.parse(readFileSync(join(root, "packages", workspace, "package.json"), "utf8"));
  return join(workspace, exports[`.${entry}`]);
}
