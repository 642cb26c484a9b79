import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "./atomic.ts";
import { makeFolder, stateFolder } from "./folders.ts";
import { createStateFile } from "./state-file.ts";

/** sha256 of every file of a skill, by its path in the skill. */
export type FileHashes = Readonly<Record<string, string>>;

/** What a person has seen of each skill, to the byte. */
export interface ContentTrust {
  /** The files as they were when the skill was trusted, by the skill's real path. */
  get(path: string): FileHashes | undefined;
  set(path: string, files: FileHashes): Promise<void>;
  /** Keeps a text, so that a later difference can be shown. */
  keepText(hash: string, text: string): void;
  readText(hash: string): string | undefined;
}

export function createContentTrust(folder: string = stateFolder()): ContentTrust {
  const file = createStateFile(join(folder, "content.json"), { skills: {} as Record<string, FileHashes> }, check);
  const texts = join(folder, "trusted-texts");
  return {
    get: (path) => {
      const { skills } = file.read();
      return Object.hasOwn(skills, path) ? skills[path] : undefined;
    },
    set: async (path, files) => {
      await file.update(({ skills }) => ({ skills: { ...skills, [path]: files } }));
    },
    keepText: (hash, text) => {
      if (existsSync(join(texts, hash))) return;
      makeFolder(texts);
      writeAtomically(join(texts, hash), text, "owner only");
    },
    readText: (hash) => (existsSync(join(texts, hash)) ? readFileSync(join(texts, hash), "utf8") : undefined),
  };
}

function check(value: unknown): { skills: Record<string, FileHashes> } {
  const { skills } = Object(value) as { skills: unknown };
  const isHashes = (each: unknown) =>
    typeof each === "object" && each !== null && Object.values(each).every((hash) => typeof hash === "string");
  if (typeof skills !== "object" || skills === null || !Object.values(skills).every(isHashes)) {
    throw new Error('"skills" should be a hash for each file of each skill');
  }
  return { skills: skills as Record<string, FileHashes> };
}
