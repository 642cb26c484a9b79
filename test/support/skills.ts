import { createMemorySource, createSkills, type Root, type Scope, type Skills } from "@skillholm/core";

/** Skills from memory: files below `/s`, all of one scope. */
export function memorySkills(files: Readonly<Record<string, string>>, scope: Scope = "user"): Promise<Skills> {
  const root: Root = { path: "/s", scope, trusted: true, writable: false, links: "inside" };
  const source = createMemorySource(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`/s/${path}`, text])),
  );
  return createSkills({ sources: [{ source, roots: [root] }] });
}
