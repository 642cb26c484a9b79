import { realpathSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";

/** Whether a real path is a folder or lies below it; `skill-evil` does not lie in `skill`. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path with every link resolved; undefined when it leads nowhere or may not be followed. */
export function tryRealpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Where an entry of a folder really lies. Nearly always the same text: no second copy of it then. */
export function realOf(folder: { readonly path: string; readonly real: string }, path: string, name: string): string {
  return folder.real === folder.path ? path : folder.real + sep + name;
}

/** What a path leads to; undefined when that is nothing, a circle, or not to be seen. */
export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Why a link cannot be followed, as the end of a sentence. */
export function linkProblem(path: string): string {
  try {
    realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") return "leads to a place that may not be read";
    if (code === "ELOOP") return "leads in a circle";
  }
  return "leads nowhere; remove it or restore its target";
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "it is no longer there",
  ELOOP: "its links form a circle",
  ENOTDIR: "it is no folder",
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
};

/** What a failed file operation means to a person. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ""] ?? message;
}
