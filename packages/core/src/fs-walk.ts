import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { Diagnostic } from "./diagnostic.ts";
import { isMisspelt, isSkippedFolder, skillFile } from "./discover.ts";
import { type FileHead, readHead, readSmall, stampOf, tryReadHead } from "./fs-head.ts";
import { isInside, reasonOf, tryRealpath, tryStat } from "./fs-path.ts";
import type { Root } from "./root.ts";
import type { Candidate, Reject, Scan, ScanRequest } from "./source.ts";

/** A folder to look into: where it was reached, and where it really is. */
interface Folder {
  readonly path: string;
  readonly real: string;
  readonly name: string;
  readonly depth: number;
  readonly linked: boolean;
}

/**
 * Walks one root depth first, in name order, one file handle at a time. A generator, so that a host can drain it in
 * slices: it yields every few folders.
 */
export function* walkRoot(root: Root, request: ScanRequest): Generator<void, Scan> {
  const walk = new Walk(root, request);
  const real = walk.enterRoot();
  if (real === undefined) return walk.result(walk.diagnostics.length > 0);
  const stack: Folder[] = [{ path: root.path, real, name: lastName(root.path), depth: 0, linked: false }];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    if (walk.isExhausted(folder)) break;
    for (const child of walk.visit(folder).reverse()) stack.push(child);
    if (walk.folders % 32 === 0) yield;
  }
  walk.finish();
  return walk.result(true);
}

class Walk {
  readonly root: Root;
  readonly request: ScanRequest;
  readonly candidates: Candidate[] = [];
  readonly rejects: Reject[] = [];
  readonly diagnostics: Diagnostic[] = [];
  private readonly followed = new Set<string>();
  private readonly otherRoots: readonly string[];
  private real = "";
  folders = 0;
  private entries = 0;
  private tooDeep = 0;
  private truncated = false;

  constructor(root: Root, request: ScanRequest) {
    this.root = root;
    this.request = request;
    this.otherRoots = request.roots.filter((each) => each !== root).flatMap((each) => tryRealpath(each.path) ?? []);
  }

  /** Where the root really is; undefined when it is not there or may not be entered. */
  enterRoot(): string | undefined {
    try {
      this.real = realpathSync(this.root.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      this.report("root-unreadable", "error", this.root.path, `cannot open the root: ${reasonOf(error)}`);
      return undefined;
    }
    const project = this.root.project === undefined ? undefined : tryRealpath(this.root.project);
    if (project === undefined || isInside(this.real, project)) return this.real;
    if (this.otherRoots.includes(this.real)) return undefined;
    const message = `the root is a link to ${this.real}, outside the project; a project's skills must lie inside it`;
    this.report("root-outside-project", "warning", this.root.path, message);
    return undefined;
  }

  isExhausted(folder: Folder): boolean {
    const { limits } = this.request;
    this.folders++;
    if (this.folders <= limits.folders && this.entries <= limits.entries) return false;
    this.truncated = true;
    const what = this.folders > limits.folders ? `${limits.folders} folders` : `${limits.entries} entries`;
    this.report("scan-limit", "warning", folder.path, `the walk ended here: a root may hold ${what}`);
    return true;
  }

  /** Takes the skill in a folder, if there is one, and returns the folders to go on with. */
  visit(folder: Folder): Folder[] {
    if (this.takeAtOnce(folder)) return noFolders;
    const entries = this.list(folder.path);
    if (entries === undefined) return [];
    this.entries += entries.length;
    let isSkill = false;
    for (const entry of entries) {
      if (entry.name === skillFile) isSkill = this.takeSkill(folder, entry);
    }
    if (isSkill && folder.depth > 0 && this.request.nested === "skip") return [];
    if (!isSkill) this.warnMisspelt(folder, entries);
    return this.childrenOf(folder, entries);
  }

  finish(): void {
    if (this.tooDeep === 0) return;
    const message = `${this.tooDeep} folders lie deeper than ${this.request.limits.depth} levels and were not opened`;
    this.report("depth-limit", "info", this.root.path, message);
  }

  result(exists: boolean): Scan {
    const { root, candidates, rejects, diagnostics, truncated } = this;
    return { root, exists, candidates, rejects, diagnostics, truncated };
  }

  private list(path: string): Dirent[] | undefined {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      this.report("folder-unreadable", "warning", path, `cannot list the folder: ${reasonOf(error)}`);
      return undefined;
    }
  }

  private childrenOf(folder: Folder, entries: readonly Dirent[]): Folder[] {
    const children: Folder[] = [];
    for (const entry of entries) {
      const { name } = entry;
      if (isSkippedFolder(name) || name === skillFile) continue;
      const path = folder.path + sep + name;
      const depth = folder.depth + 1;
      let child: Folder | undefined;
      if (entry.isDirectory()) child = { path, real: realOf(folder, path, name), name, depth, linked: folder.linked };
      else if (entry.isSymbolicLink()) child = this.follow(folder, path, name);
      if (child === undefined) continue;
      if (depth > this.request.limits.depth) this.tooDeep++;
      else children.push(child);
    }
    return children.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A linked folder, if it may be entered: once, not in a circle, and not out of the root. */
  private follow(folder: Folder, path: string, name: string): Folder | undefined {
    const real = tryRealpath(path);
    const target = real === undefined ? undefined : tryStat(real);
    if (target === undefined || real === undefined) {
      this.report("link-broken", "warning", path, "the link leads nowhere; remove it or restore its target");
      return undefined;
    }
    if (!target.isDirectory() || isInside(folder.real, real) || this.followed.has(real)) return undefined;
    this.followed.add(real);
    if (this.mayReach(real)) return { path, real, name, depth: folder.depth + 1, linked: true };
    if (!this.otherRoots.some((other) => isInside(real, other))) this.refuseLink(path, name, real);
    return undefined;
  }

  private mayReach(real: string): boolean {
    return this.root.links === "anywhere" || isInside(real, this.real);
  }

  private refuseLink(dir: string, folder: string, real: string): void {
    const path = dir + sep + skillFile;
    const holdsSkill = tryStat(path) !== undefined;
    const message = `the link leads to ${real}, outside its root; copy the skill, or link it from your own skills folder`;
    this.report("link-outside-root", "warning", holdsSkill ? path : dir, message);
    if (holdsSkill) this.reject(dir, folder, message);
  }

  private takeSkill(folder: Folder, entry: Dirent): boolean {
    const path = folder.path + sep + skillFile;
    const linkedFile = entry.isSymbolicLink();
    if (!entry.isFile() && !linkedFile) return this.refuseFile(folder, path, "it is no regular file");
    let realPath = realOf(folder, path, skillFile);
    if (linkedFile) {
      const real = tryRealpath(path);
      if (real === undefined) return this.refuseFile(folder, path, "the link leads nowhere");
      if (!this.mayReach(real) && !this.otherRoots.some((other) => isInside(real, other))) {
        this.report("link-outside-root", "warning", path, `the link leads to ${real}, outside its root`);
        return this.reject(folder.path, folder.name, `SKILL.md is a link to ${real}, outside its root`);
      }
      realPath = real;
    }
    return this.takeFile(folder, path, realPath, linkedFile);
  }

  /**
   * The usual case without listing the folder: a regular file of this very name opens at once, and a skill's folder is
   * a leaf. Only where file names keep their case; anything unusual is left to the careful way.
   */
  private takeAtOnce(folder: Folder): boolean {
    const { read, nested, known, limits } = this.request;
    if (!namesKeepCase || folder.depth === 0 || nested === "find" || read === "nothing") return false;
    const path = folder.path + sep + skillFile;
    if (known?.(path)?.stamp) return false;
    const head = tryReadHead(path, limits.frontmatterBytes);
    if (head !== undefined) this.addCandidate(folder, path, realOf(folder, path, skillFile), false, head);
    return head !== undefined;
  }

  private takeFile(folder: Folder, path: string, realPath: string, linked: boolean): boolean {
    if (this.request.read === "nothing") {
      this.addCandidate(folder, path, realPath, linked, { size: 0, mtimeMs: 0, stamp: 0 });
      return true;
    }
    const known = this.request.known?.(path);
    const now = known?.stamp ? stampOf(path, openaiPathOf(folder)) : undefined;
    if (now !== undefined && now.stamp === known?.stamp && now.size === known.size && now.mtimeMs === known.mtimeMs) {
      this.addCandidate(folder, path, realPath, linked, now);
      return true;
    }
    try {
      this.addCandidate(folder, path, realPath, linked, readHead(path, this.request.limits.frontmatterBytes));
      return true;
    } catch (error) {
      return this.refuseFile(folder, path, `it cannot be read: ${reasonOf(error)}`);
    }
  }

  private addCandidate(folder: Folder, path: string, realPath: string, linkedFile: boolean, file: FileFacts): void {
    const openai = file.head === undefined ? undefined : readSmall(openaiPathOf(folder));
    this.candidates.push({
      root: this.root,
      path,
      dir: folder.path,
      folder: folder.name,
      realPath,
      linked: folder.linked || linkedFile,
      size: file.size,
      mtimeMs: file.mtimeMs,
      stamp: openai === undefined ? file.stamp : (stampOf(path, openaiPathOf(folder))?.stamp ?? 0),
      head: file.head,
      openai,
    });
  }

  private refuseFile(folder: Folder, path: string, why: string): boolean {
    const code = why.startsWith("it cannot be read") ? "file-unreadable" : "not-a-file";
    this.report(code, code === "not-a-file" ? "warning" : "error", path, `${skillFile}: ${why}`);
    return this.reject(folder.path, folder.name, `${skillFile}: ${why}`);
  }

  private warnMisspelt(folder: Folder, entries: readonly Dirent[]): void {
    for (const entry of entries) {
      if (!isMisspelt(entry.name)) continue;
      const message = `the file is named "${entry.name}"; only "${skillFile}" makes a skill: rename it`;
      const path = folder.path + sep + entry.name;
      this.report("file-name", "warning", path, message);
      const { root } = this;
      this.rejects.push({ root, path, dir: folder.path, folder: folder.name, reason: message });
    }
  }

  private reject(dir: string, folder: string, reason: string): boolean {
    this.rejects.push({ root: this.root, path: dir + sep + skillFile, dir, folder, reason });
    return true;
  }

  private report(code: Diagnostic["code"], severity: Diagnostic["severity"], path: string, message: string): void {
    this.diagnostics.push({ code, severity, path, message });
  }
}

/** Without a head when it was not wanted or is known already. */
type FileFacts = Omit<FileHead, "head"> & Partial<Pick<FileHead, "head">>;

const noFolders: Folder[] = [];
const namesKeepCase = process.platform === "linux";

// Nearly always the same text: no second copy of it then.
function realOf(folder: Folder, path: string, name: string): string {
  return folder.real === folder.path ? path : folder.real + sep + name;
}

function openaiPathOf(folder: Folder): string {
  return `${folder.path}${sep}agents${sep}openai.yaml`;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1);
}
