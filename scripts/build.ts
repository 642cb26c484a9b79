// Writes the package that users install into dist/skillholm: bundled JavaScript, types, command and skills.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { buildPage } from "./page.ts";
import { writeTypes } from "./types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/skillholm");

/** The library's entries by sub-path; each has its types in tsconfig.build.json. */
const entries = {
  index: "packages/core/src/index.ts",
  portable: "packages/core/src/portable.ts",
  "ai-sdk": "packages/profiles/src/ai-sdk.ts",
  openai: "packages/profiles/src/openai.ts",
  anthropic: "packages/profiles/src/anthropic.ts",
  profiles: "packages/profiles/src/index.ts",
  sandbox: "packages/sandbox/src/index.ts",
};

/** What an entry is for and its user has, from the oldest whose types fit: never bundled, needed by that entry only. */
const peers = { "@anthropic-ai/sdk": ">=0.60.0", ai: "^7.0.0", openai: ">=5.23.2" };

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "bin"), { recursive: true });
const library = await bundle("lib", entries, { external: Object.keys(peers) });
// Apart from the library, which must import nothing of Node's: what the command bundles still asks for `require`.
const requires = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
const command = await bundle("cli", { main: "hosts/cli/src/main.ts" }, { banner: { js: requires } });
writeCommand();
writePackage(writeTypes(Object.values(entries), join(out, "types")));
const page = buildPage();
cpSync(page, join(out, "page"), { recursive: true });
writeNotices([library, command], page);
for (const path of ["skills", "README.md", "LICENSE"]) cpSync(join(root, path), join(out, path), { recursive: true });

/** Bundles entries into a folder of the package. */
async function bundle(
  folder: string,
  entryPoints: Readonly<Record<string, string>>,
  options: Pick<BuildOptions, "banner" | "external">,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints },
    outdir: join(out, folder),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    metafile: true,
    logLevel: "warning",
    ...options,
    define: { "import.meta.skillholmBundled": '"../skills"', "import.meta.skillholmPage": '"../page"' },
  });
  return metafile;
}

function writeCommand(): void {
  const path = join(out, "bin/skillholm.js");
  const source = readFileSync(join(root, "hosts/cli/bin/skillholm.js"), "utf8");
  writeFileSync(path, source.replace("../src/main.ts", "../cli/main.js"));
  chmodSync(path, 0o755);
}

function writePackage(types: readonly string[]): void {
  const { version, description, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const exported = Object.keys(entries).map((name, index) => [
    name === "index" ? "." : `./${name}`,
    { types: `./types/${types[index]}`, default: `./lib/${name}.js` },
  ]);
  const optional = Object.keys(peers).map((name) => [name, { optional: true }]);
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
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(optional),
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    files: ["bin", "cli", "lib", "page", "skills", "types", "THIRD-PARTY.md"],
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** What is bundled keeps its licence. */
function writeNotices(bundles: readonly Metafile[], page: string): void {
  const inPage: readonly { readonly name: string }[] = JSON.parse(readFileSync(join(page, "licenses.json"), "utf8"));
  const names = new Set(inPage.map(({ name }) => name));
  for (const input of bundles.flatMap(({ inputs }) => Object.keys(inputs))) {
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
