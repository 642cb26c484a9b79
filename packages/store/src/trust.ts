import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { stateFolder } from "./folders.ts";
import { createStateFile } from "./state-file.ts";

/** Folders that a person trusts, each with everything below it. */
export interface TrustStore {
  list(): readonly string[];
  isTrusted(folder: string): boolean;
  add(folder: string): Promise<void>;
  remove(folder: string): Promise<boolean>;
}

/** Remembers trust by real path, so that no link can borrow it. */
export function createTrustStore(folder: string = stateFolder()): TrustStore {
  const file = createStateFile(join(folder, "trust.json"), { folders: [] as readonly string[] }, checkFolders);
  return {
    list: () => file.read().folders,
    isTrusted: (path) => file.read().folders.some((trusted) => isInside(realOf(path), trusted)),
    add: async (path) => {
      const real = realpathSync(path);
      await file.update(({ folders }) => ({ folders: [...new Set([...folders, real])].sort() }));
    },
    remove: async (path) => {
      const real = realOf(path);
      let found = false;
      await file.update(({ folders }) => {
        found = folders.includes(real);
        return { folders: folders.filter((each) => each !== real) };
      });
      return found;
    },
  };
}

function checkFolders(value: unknown): { folders: readonly string[] } {
  const { folders } = Object(value) as { folders: unknown };
  if (!Array.isArray(folders) || folders.some((each) => typeof each !== "string")) {
    throw new Error('"folders" should be a list of paths');
  }
  return { folders };
}

// A folder that is gone can still be forgotten, by the text of its path.
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
