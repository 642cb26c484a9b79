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

type Place = Pick<Folder, "path" | "real" | "name">;

/** What a walk gathers: candidates, and a state and a reason for everything that should have been one. */
export class Found {
  readonly root: Root;
  readonly candidates: Candidate[] = [];
  private readonly rejects: Reject[] = [];
  private readonly diagnostics: Diagnostic[] = [];
  truncated = false;

  constructor(root: Root) {
    this.root = root;
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

  result(exists: boolean): Scan {
    const { root, candidates, rejects, diagnostics, truncated } = this;
    return { root, exists, candidates, rejects, diagnostics, truncated };
  }
}
