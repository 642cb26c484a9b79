// Writes the package that users install into dist/skillholm: bundled JavaScript, types, command and skills.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { buildPage } from "./page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/skillholm");

/** The library's entries by sub-path; each needs its types. */
const entries = { index: "packages/core/src/index.ts", portable: "packages/core/src/portable.ts" };

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "bin"), { recursive: true });
const { metafile } = await bundle();
writeTypes();
writeCommand();
writePackage();
const page = buildPage();
cpSync(page, join(out, "page"), { recursive: true });
writeNotices(metafile, page);
for (const path of ["skills", "README.md", "LICENSE"]) cpSync(join(root, path), join(out, path), { recursive: true });

function bundle() {
  return build({
    absWorkingDir: root,
    entryPoints: { ...entries, cli: "hosts/cli/src/main.ts" },
    outdir: join(out, "lib"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    metafile: true,
    logLevel: "warning",
    define: { "import.meta.skillholmBundled": '"../skills"', "import.meta.skillholmPage": '"../page"' },
  });
}

function writeTypes(): void {
  const compiler = join(root, "node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", "tsconfig.build.json", "--outDir", join(out, "types")], {
    cwd: root,
    stdio: "inherit",
  });
}

function writeCommand(): void {
  const path = join(out, "bin/skillholm.js");
  const source = readFileSync(join(root, "hosts/cli/bin/skillholm.js"), "utf8");
  writeFileSync(path, source.replace("../src/main.ts", "../lib/cli.js"));
  chmodSync(path, 0o755);
}

function writePackage(): void {
  const { version, description, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const exported = Object.keys(entries).map((name) => [
    name === "index" ? "." : `./${name}`,
    { types: `./types/${name}.d.ts`, default: `./lib/${name}.js` },
  ]);
  const manifest = {
    name: "skillholm",
    version,
    description,
    keywords: ["agent-skills", "skills", "SKILL.md", "agents", "llm", "mcp"],
    license,
    type: "module",
    sideEffects: false,
    engines,
    bin: { skillholm: "./bin/skillholm.js" },
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    files: ["bin", "lib", "page", "skills", "types", "THIRD-PARTY.md"],
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** What is bundled keeps its licence. */
function writeNotices(meta: Metafile, page: string): void {
  const inPage: readonly { readonly name: string }[] = JSON.parse(readFileSync(join(page, "licenses.json"), "utf8"));
  const names = new Set(inPage.map(({ name }) => name));
  for (const input of Object.keys(meta.inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name !== undefined) names.add(name);
  }
  const notices = [...names].sort().map(noticeOf);
  writeFileSync(join(out, "THIRD-PARTY.md"), `# Bundled with Skillholm\n\n${notices.join("\n")}`);
}

function noticeOf(name: string): string {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  // Some leave the text out; this one we ship anyway.
  if (file === undefined && license !== "Apache-2.0") throw new Error(`${name} has no licence file to pass on`);
  const text =
    file === undefined ? "The text is in the file LICENSE." : readFileSync(join(folder, file), "utf8").trim();
  return `## ${name} ${version} (${license})\n\n${text}\n`;
}
