import type { Dirent } from "node:fs";
import { sep } from "node:path";
import type { Diagnostic } from "./diagnostic.ts";
import { isMisspelt, skillFile } from "./discover.ts";
import type { Root } from "./root.ts";
import type { Candidate, Reject, Scan } from "./source.ts";

/** A folder that a walk looks into: where it was reached, and where it really is. */
export interface Folder {
  readonly path: string;
  readonly real: string;
  readonly name: string;
  readonly depth: number;
  readonly linked: boolean;
}

/** A link to a folder, met within bounds; not entered where another way to the same folder was. */
interface Link {
  readonly path: string;
  readonly real: string;
  readonly entered: boolean;
}

/** A scan with what a later one needs to look at parts of the root only. */
export interface FsScan extends Scan {
  /** Real paths within which links may lead; the root's own first. */
  readonly bounds: readonly string[];
  readonly links: readonly Link[];
  /** Folders that lie too deep to be entered. */
  readonly deep: readonly string[];
  /** Visited and listed, at least: parts that are looked at again count again. */
  readonly folders: number;
  readonly entries: number;
}

type Place = Pick<Folder, "path" | "real" | "name">;

/** What a walk gathers: candidates, and a state and a reason for everything that should have been one. */
export class Found {
  readonly root: Root;
  readonly candidates: Candidate[] = [];
  readonly rejects: Reject[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly links: Link[] = [];
  readonly deep: string[] = [];
  /** Nothing bounds a person's own folder. */
  bounds: readonly string[] = [];
  folders: number;
  entries: number;
  truncated = false;

  constructor(root: Root, before?: FsScan) {
    this.root = root;
    this.folders = before?.folders ?? 0;
    this.entries = before?.entries ?? 0;
  }

  report(code: Diagnostic["code"], severity: Diagnostic["severity"], path: string, message: string): void {
    this.diagnostics.push({ code, severity, path, message });
  }

  /** A `SKILL.md` that cannot be taken. */
  refuse(folder: Place, code: Diagnostic["code"], reason: string): void {
    this.report(code, code === "file-unreadable" ? "error" : "warning", folder.path + sep + skillFile, reason);
    this.reject(folder, skillFile, reason);
  }

  /** Files that were meant as skills and have another spelling. */
  refuseMisspelt(folder: Folder, entries: readonly Dirent[]): void {
    for (const { name } of entries) {
      if (!isMisspelt(name)) continue;
      const reason = `the file is named "${name}"; only "${skillFile}" makes a skill: rename it`;
      this.report("file-name", "warning", folder.path + sep + name, reason);
      this.reject(folder, name, reason);
    }
  }

  private reject({ path: dir, real: realDir, name: folder }: Place, file: string, reason: string): void {
    const place = { path: dir + sep + file, realPath: realDir + sep + file, dir, realDir, folder };
    this.rejects.push({ root: this.root, ...place, reason });
  }

  /** `depth` is the limit, `watching` what is wrong with watching this root. */
  result(exists: boolean, depth: number, watching: string | undefined): FsScan {
    const { root, candidates, rejects, links, deep, bounds, folders, entries, truncated } = this;
    const diagnostics = [...this.diagnostics, ...tellOfRoot(root, deep.length, depth, watching)];
    return { root, exists, candidates, rejects, diagnostics, truncated, links, deep, bounds, folders, entries };
  }
}

/** What is told of the root as a whole. */
export function tellOfRoot(root: Root, deep: number, depth: number, watching: string | undefined): Diagnostic[] {
  const told: Diagnostic[] = [];
  if (deep > 0) {
    const folders = deep === 1 ? "1 folder lies" : `${deep} folders lie`;
    const message = `${folders} deeper than ${depth} levels; nothing in there was looked at`;
    told.push({ code: "depth-limit", severity: "info", path: root.path, message });
  }
  if (watching !== undefined) told.push({ code: "watch-limit", severity: "info", path: root.path, message: watching });
  return told;
}
