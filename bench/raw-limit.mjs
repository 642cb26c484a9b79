// The baseline, what a loader does that parses nothing: list the folders, open and read 8 KB of each file. `node raw-limit.mjs DIR`
import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** @param {string} root @returns {number} how many files were read */
export function readRaw(root) {
  const buffer = Buffer.allocUnsafe(8192);
  let found = 0;
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const dir = `${root}/${entry.name}`;
    if (!readdirSync(dir).includes("SKILL.md")) continue;
    const file = openSync(`${dir}/SKILL.md`, "r");
    readSync(file, buffer, 0, 8192, 0);
    closeSync(file);
    found++;
  }
  return found;
}

const folder = process.argv[2];
if (import.meta.main && folder !== undefined) readRaw(folder);
