import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFsSource } from "@skillholm/core";
import { defuseMarkup, escapeMarkup } from "@skillholm/core/dialect";

const fileName = "AGENTS.md";
// As much as anybody writes for agents; the rest is cut.
const mostBytes = 64 * 1024;

/** The `AGENTS.md` of every folder from the project's down to the working one, as one block; empty without any. */
export async function renderAgentsContext(cwd: string, project: string): Promise<string> {
  const source = createFsSource();
  const parts: string[] = [];
  for (const folder of foldersBetween(project, cwd)) {
    if (!existsSync(join(folder, fileName))) continue;
    const root = { path: folder, scope: "project", trusted: true, writable: false, links: "inside" } as const;
    const place = { path: folder, dir: folder, realPath: folder, realDir: folder };
    const start = await source.readStart({ root, ...place }, fileName, mostBytes).catch(() => undefined);
    if (start === undefined) continue;
    const text = defuseMarkup(new TextDecoder().decode(start.bytes).trim());
    parts.push(`<agents_file path="${escapeMarkup(join(folder, fileName))}">\n${text}\n</agents_file>`);
  }
  return parts.length === 0 ? "" : ["<agents_context>", ...parts, "</agents_context>"].join("\n");
}

function foldersBetween(project: string, cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === project) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}
