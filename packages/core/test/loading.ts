import { type Catalog, type OpenOptions, openSkills, type Policy, type Root, type Skills } from "../src/index.ts";

/** A trusted root of a scope; links stay inside unless it is the user's. */
export function rootAt(path: string, change: Partial<Root> = {}): Root {
  const links = change.scope === "user" ? "anywhere" : "inside";
  return { path, scope: "project", trusted: true, writable: true, links, ...change };
}

export function open(roots: readonly Root[], policy: Partial<Policy> = {}): Promise<Skills> {
  return openSkills({ roots, policy } satisfies OpenOptions);
}

/** What became of each folder: its state by path below the root, and the codes of its diagnostics. */
export function summary(catalog: Catalog, root: string): Record<string, string> {
  const states: Record<string, string> = {};
  for (const { path, name } of catalog.skills) states[path] = `listed as ${name}`;
  for (const { path, state } of catalog.hidden) states[path] = state;
  return Object.fromEntries(Object.entries(states).map(([path, state]) => [path.slice(root.length + 1), state]));
}

/** `code line:column` of every diagnostic on one path. */
export function codesOf(catalog: Catalog, path: string): readonly string[] {
  return catalog.diagnostics
    .filter((each) => each.path === path)
    .map((each) => [each.code, each.line === undefined ? "" : ` ${each.line}:${each.column}`].join(""));
}
