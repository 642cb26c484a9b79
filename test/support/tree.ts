import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A file's text or bytes, or a link to somewhere. */
export type TreeEntry = string | Uint8Array | { readonly link: string };

/** Lays files and links out in a folder of its own, which goes when the test ends; returns its real path. */
export function layTree(entries: Readonly<Record<string, TreeEntry>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillholm-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  layEntries(folder, entries);
  return folder;
}

/** The same into a folder that is there. */
export function layEntries(folder: string, entries: Readonly<Record<string, TreeEntry>>): void {
  for (const [path, entry] of Object.entries(entries)) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    if (typeof entry === "string" || entry instanceof Uint8Array) writeFileSync(full, entry);
    else symlinkSync(entry.link, full);
  }
}

/** An empty folder for all tests of a file. */
export function keepFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillholm-test-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A `SKILL.md` of this name; `more` are further lines of frontmatter. */
export function skillText(name: string, description = `Does ${name}. Use when asked.`, more = ""): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n`;
}
