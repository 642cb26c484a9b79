import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepFolder, skillText } from "../../../test/support/tree.ts";
import type { Catalog, Root } from "../src/index.ts";
import { open, rootAt } from "./loading.ts";

const folders = ["a", "b", "g", "g/a", "g/c", "g/c/d", "g/c/d/e", "SKILL.md"];
const place = fc.record({
  top: fc.constantFrom("project", "user", "store"),
  folder: fc.constantFrom(...folders),
});
type Place = { readonly top: string; readonly folder: string };

interface Edit {
  readonly kind: (typeof kinds)[number];
  readonly at: Place;
  readonly to: Place;
  readonly name: string;
}

const kinds = [
  "write",
  "write",
  "save by rename",
  "remove file",
  "remove folder",
  "move",
  "move",
  "link folder",
  "link store",
  "link store",
  "link file",
  "misspell",
  "openai",
  "move root",
] as const;
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: place,
  to: place,
  name: fc.constantFrom("a", "b", "x"),
});

describe("watching", () => {
  const base = keepFolder();
  let runs = 0;

  it("leads to the same catalog as a fresh load, whatever is done to the folders", async () => {
    const batches = fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(batches, fc.constantFrom("skip", "find"), async (all, nested) => {
      const top = join(base, String(runs++));
      for (const name of ["project", "user", "store"]) mkdirSync(join(top, name), { recursive: true });
      for (const name of ["a", "b"]) write(join(top, "store", name, "SKILL.md"), skillText(name));
      const roots = [rootAt(join(top, "project")), rootAt(join(top, "user"), { scope: "user" })];
      const policy = { nested, limits: { depth: 3 } } as const;
      const skills = await open(roots, policy);
      using watch = skills.watch();
      await watch.ready;
      for (const batch of all) {
        for (const each of batch) apply(top, each);
        await settle(() => textOf(skills.catalog), roots, policy);
      }
    });
    await fc.assert(property, { numRuns: Number(process.env.WATCH_RUNS ?? 12), endOnFailure: true });
  }, 600_000);
});

/** Waits until both say the same for a while; says what differs when they do not come to that. */
async function settle(shown: () => string, roots: readonly Root[], policy: object): Promise<void> {
  const deadline = Date.now() + 8000;
  for (let equal = 0; equal < 2; ) {
    await setTimeout(130);
    const { catalog } = await open(roots, policy);
    equal = shown() === textOf(catalog) ? equal + 1 : 0;
    if (equal === 0 && Date.now() > deadline) expect(JSON.parse(shown())).toEqual(JSON.parse(textOf(catalog)));
  }
}

// A file that was written again with the text that it had is the same skill, with the time that it had.
function textOf(catalog: Catalog): string {
  return JSON.stringify(catalog, (key, value) => (key === "mtimeMs" ? undefined : value));
}

/** Does what can be done; an edit that makes no sense here is none. */
function apply(top: string, { kind, at, to, name }: Edit): void {
  const folder = join(top, at.top, at.folder);
  const other = join(top, to.top, to.folder);
  try {
    if (kind === "write") write(join(folder, "SKILL.md"), skillText(name));
    else if (kind === "misspell") write(join(folder, "skill.md"), skillText(name));
    else if (kind === "openai") write(join(folder, "agents/openai.yaml"), `interface:\n  display_name: ${name}\n`);
    else if (kind === "save by rename") {
      write(join(folder, "SKILL.md.tmp"), skillText(name, "Saved. Use when asked."));
      renameSync(join(folder, "SKILL.md.tmp"), join(folder, "SKILL.md"));
    } else if (kind === "remove file") rmSync(join(folder, "SKILL.md"));
    else if (kind === "remove folder") rmSync(folder, { recursive: true });
    else if (kind === "move") move(folder, other);
    else if (kind === "link folder") link(other, folder);
    // Few targets, so that several links lead to one.
    else if (kind === "link store") link(join(top, "store", name), folder);
    else if (kind === "link file") link(join(other, "SKILL.md"), join(folder, "SKILL.md"));
    else move(join(top, at.top), join(top, "aside"), join(top, to.top));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function move(from: string, to: string, back?: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (existsSync(from) && !existsSync(to)) renameSync(from, to);
  else if (back !== undefined && existsSync(to) && !existsSync(back)) renameSync(to, back);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}
