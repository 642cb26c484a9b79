import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const repo = fileURLToPath(new URL("..", import.meta.url));

/** Which workspaces each may import: its own layer's neighbours below, and nothing above. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  tools: ["core"],
  profiles: ["core", "tools"],
  chat: ["core", "tools", "profiles"],
  sandbox: ["core"],
  mcp: ["core", "tools", "profiles"],
  store: ["core"],
  rpc: ["core"],
  engine: ["core", "tools", "profiles", "chat", "mcp", "sandbox", "store", "rpc"],
  server: ["core", "mcp", "engine"],
  // Only types: it knows the others by HTTP.
  web: ["tools", "engine"],
  cli: ["core", "engine", "server"],
};

/** The only files of a library that touch the machine. */
const edges = [
  /^packages\/core\/src\/(fs-[a-z]+|open)\.ts$/,
  /^packages\/(sandbox|store|engine)\/src\//,
  /^hosts\/(server|cli)\//,
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const sources = ["packages", "hosts"].flatMap((group) =>
  readdirSync(join(repo, group)).flatMap((name) => listSources(join(repo, group, name, "src"))),
);
const imports: readonly Import[] = sources.flatMap(readImports);

function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => relative(repo, join(folder, path)));
}

/** Type imports and lazy ones count: they tie files together just the same. */
function readImports(from: string): readonly Import[] {
  const text = readFileSync(join(repo, from), "utf8");
  const found = text.matchAll(
    /^(?:import|export)\s[^;"']*?\sfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...found].map((match) => ({ from, to: match[1] ?? match[2] ?? match[3] ?? "" }));
}

function workspaceOf(path: string): string {
  return path.split("/")[1] ?? "";
}

describe("the architecture", () => {
  it("is read from real files", () => {
    expect(sources.length).toBeGreaterThan(30);
    expect(imports).toContainEqual({ from: "packages/core/src/skill.ts", to: "./root.ts" });
    expect(imports).toContainEqual({ from: "hosts/cli/src/program.ts", to: "./commands/list.ts" });
  });

  it("has a place in the layers for every workspace", () => {
    const names = ["packages", "hosts"].flatMap((group) => readdirSync(join(repo, group)));
    expect(names.sort()).toEqual(Object.keys(mayImport).sort());
  });

  it("lets each workspace import only the layers below it", () => {
    const wrong = imports.filter(({ from, to }) => {
      const target = /^@skillholm\/([a-z]+)/.exec(to)?.[1];
      return target !== undefined && !mayImport[workspaceOf(from)]?.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  it("gives the page only types of the other workspaces", () => {
    const page = sources.filter((path) => workspaceOf(path) === "web");
    const wrong = page.filter((path) =>
      /^(import|export) (?!type )[^;]*"@skillholm\//m.test(readFileSync(join(repo, path), "utf8")),
    );
    expect(page.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it("crosses no workspace's border by a relative path", () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        to.startsWith(".") && workspaceOf(relative(repo, resolve(repo, dirname(from), to))) !== workspaceOf(from),
    );
    expect(wrong).toEqual([]);
  });

  it("declares every workspace and package that it imports", () => {
    const wrong = imports.filter(({ from, to }) => {
      if (to.startsWith(".") || to.startsWith("node:")) return false;
      const [group = "", name = ""] = from.split("/");
      const manifest = JSON.parse(readFileSync(join(repo, group, name, "package.json"), "utf8"));
      // What the page imports is gone once it is built.
      const declared = { ...manifest.dependencies, ...(name === "web" ? manifest.devDependencies : {}) };
      return !Object.hasOwn(declared, /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to);
    });
    expect(wrong).toEqual([]);
  });

  it("touches the machine only at the edges", () => {
    const wrong = imports.filter(({ from, to }) => to.startsWith("node:") && !edges.some((edge) => edge.test(from)));
    expect(wrong).toEqual([]);
  });

  it("has no cycles, type imports counted", () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of imports) {
      if (!to.startsWith(".") || to.endsWith(".css")) continue;
      graph.set(from, [...(graph.get(from) ?? []), relative(repo, resolve(repo, dirname(from), to))]);
    }
    expect(findCycle(graph)).toBeUndefined();
  });

  it("finds a cycle where there is one", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["b"]],
    ]);
    expect(findCycle(graph)).toEqual(["b", "c", "b"]);
  });

  it("keeps files short, names its exports one by one, and has no default exports", () => {
    const wrong = sources.filter((path) => {
      const text = readFileSync(join(repo, path), "utf8");
      return text.split("\n").length > 400 || /^export (\*|default)/m.test(text);
    });
    expect(wrong).toEqual([]);
  });
});

function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
