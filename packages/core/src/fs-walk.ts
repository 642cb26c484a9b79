import { type Dirent, existsSync, readdirSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { isSkippedFolder, skillFile } from "./discover.ts";
import { type Folder, Found } from "./fs-found.ts";
import { besideStamp, type FileHead, readHead, readSmall, tryReadHead, tryUnchanged } from "./fs-head.ts";
import { isInside, linkProblem, reasonOf, tryRealpath, tryStat } from "./fs-path.ts";
import type { Root } from "./root.ts";
import type { FileStamp, Scan, ScanRequest } from "./source.ts";

/**
 * Walks one root depth first, in name order, one file handle at a time. A generator, so that a host can drain it in
 * slices: it yields every few folders.
 */
export function* walkRoot(root: Root, request: ScanRequest): Generator<void, Scan> {
  const walk = new Walk(root, request);
  const top = walk.enterRoot();
  const stack = top === undefined ? [] : [top];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    if (walk.isExhausted(folder)) break;
    for (const child of walk.visit(folder).reverse()) stack.push(child);
    if (walk.folders % 32 === 0) yield;
  }
  walk.finish();
  return walk.found.result(top !== undefined);
}

class Walk {
  readonly found: Found;
  folders = 0;
  private readonly root: Root;
  private readonly request: ScanRequest;
  /** Real paths within which links may lead; nothing bounds a person's own folder. */
  private bounds: readonly string[] = [];
  /** Real folders that links led to, with the depth at which they were entered. */
  private readonly followed = new Map<string, number>();
  private entries = 0;
  private tooDeep = 0;

  constructor(root: Root, request: ScanRequest) {
    this.root = root;
    this.request = request;
    this.found = new Found(root);
  }

  /** The root's folder; undefined when it is not there or may not be entered. */
  enterRoot(): Folder | undefined {
    const { path, project } = this.root;
    let real: string;
    try {
      real = realpathSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      this.found.report("root-unreadable", "error", path, `cannot open the root: ${reasonOf(error)}`);
      return undefined;
    }
    if (this.isRepeated(real)) return undefined;
    // A link from one root into another leads to that root's skill; only a trusted one lends its trust.
    const others = this.request.roots.filter((other) => other.trusted && other !== this.root);
    this.bounds = [real, ...others.flatMap((other) => tryRealpath(other.path) ?? [])];
    const inside = project === undefined || isInside(real, tryRealpath(project) ?? project);
    if (inside) return { path, real, name: path.slice(path.lastIndexOf(sep) + 1), depth: 0, linked: false };
    if (!this.bounds.slice(1).includes(real)) {
      const message = `the root is a link to ${real}, outside the project; a project's skills must lie inside it`;
      this.found.report("root-outside-project", "warning", path, message);
    }
    return undefined;
  }

  /** Whether an earlier root is the same folder by another path, and is trusted no less. */
  private isRepeated(real: string): boolean {
    const { roots } = this.request;
    const earlier = roots.slice(0, Math.max(0, roots.indexOf(this.root)));
    return earlier.some((other) => (other.trusted || !this.root.trusted) && tryRealpath(other.path) === real);
  }

  isExhausted(folder: Folder): boolean {
    const { limits } = this.request;
    this.folders++;
    if (this.folders <= limits.folders && this.entries <= limits.entries) return false;
    this.found.truncated = true;
    const what = this.folders > limits.folders ? `${limits.folders} folders` : `${limits.entries} entries`;
    this.found.report("scan-limit", "warning", folder.path, `the walk ended here: a root may hold ${what}`);
    return true;
  }

  /** Takes the skill in a folder, if there is one, and returns the folders to go on with. */
  visit(folder: Folder): Folder[] {
    if (this.takeAtOnce(folder)) return noFolders;
    const entries = this.list(folder.path);
    this.entries += entries.length;
    const file = entries.find((entry) => entry.name === skillFile);
    if (file === undefined) this.found.refuseMisspelt(folder, entries);
    else this.takeSkill(folder, file);
    const isLeaf = file !== undefined && folder.depth > 0 && this.request.nested === "skip";
    return isLeaf ? noFolders : this.childrenOf(folder, entries);
  }

  finish(): void {
    if (this.tooDeep === 0) return;
    const folders = this.tooDeep === 1 ? "1 folder lies" : `${this.tooDeep} folders lie`;
    const message = `${folders} deeper than ${this.request.limits.depth} levels; nothing in there was looked at`;
    this.found.report("depth-limit", "info", this.root.path, message);
  }

  private list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      this.found.report("folder-unreadable", "warning", path, `cannot list the folder: ${reasonOf(error)}`);
      return [];
    }
  }

  private childrenOf(folder: Folder, entries: readonly Dirent[]): Folder[] {
    const children: Folder[] = [];
    for (const entry of entries) {
      const { name } = entry;
      if (isSkippedFolder(name) || name === skillFile || entry.isFile()) continue;
      const path = folder.path + sep + name;
      const depth = folder.depth + 1;
      if (name.includes("\uFFFD") && tryStat(path) === undefined) {
        this.found.report("folder-unreadable", "warning", path, "its name is not UTF-8; rename it");
        continue;
      }
      let child: Folder | undefined;
      if (entry.isDirectory()) child = { path, real: realOf(folder, path, name), name, depth, linked: folder.linked };
      else if (entry.isSymbolicLink()) child = this.follow(folder, path, name);
      if (child === undefined) continue;
      if (depth > this.request.limits.depth) this.tooDeep++;
      else children.push(child);
    }
    return children.sort(byName);
  }

  /** A linked folder, if it may be entered: once, not in a circle, and not out of bounds. */
  private follow(folder: Folder, path: string, name: string): Folder | undefined {
    const real = tryRealpath(path);
    const target = real === undefined ? undefined : tryStat(real);
    if (target === undefined || real === undefined) {
      this.found.report("link-broken", "warning", path, `the link ${linkProblem(path)}`);
      return undefined;
    }
    if (!target.isDirectory() || isInside(folder.real, real)) return undefined;
    const depth = folder.depth + 1;
    if (!this.mayReach(real)) {
      const reason = `the link leads to ${real}, outside its root; copy the skill, or link it from your own skills folder`;
      if (tryStat(path + sep + skillFile) === undefined)
        this.found.report("link-outside-root", "warning", path, reason);
      else this.found.refuse({ path, real: path, name }, "link-outside-root", reason);
      return undefined;
    }
    // Entered again only from a higher place, from which more of it is within reach.
    if ((this.followed.get(real) ?? Number.POSITIVE_INFINITY) <= depth) return undefined;
    if (depth <= this.request.limits.depth) this.followed.set(real, depth);
    return { path, real, name, depth, linked: true };
  }

  private mayReach(real: string): boolean {
    return this.root.links === "anywhere" || this.bounds.some((bound) => isInside(real, bound));
  }

  /**
   * The usual case without listing the folder: a regular file of this very name opens at once, and a skill's folder is
   * a leaf. Only where file names keep their case; anything unusual is left to the careful way.
   */
  private takeAtOnce(folder: Folder): boolean {
    const { read, nested, known, limits } = this.request;
    if (!namesKeepCase || folder.depth === 0 || nested === "find" || read === "nothing") return false;
    const path = folder.path + sep + skillFile;
    const before = known?.(this.root, path);
    const seen = before === undefined ? undefined : tryUnchanged(path, openaiPathOf(folder), before, "no link");
    const file = seen ?? tryReadHead(path, limits.frontmatterBytes);
    if (file !== undefined) this.addCandidate(folder, path, realOf(folder, path, skillFile), false, file);
    return file !== undefined;
  }

  /** The careful way: looks at what the file is, follows a link within bounds, and gives every refusal a reason. */
  private takeSkill(folder: Folder, entry: Dirent): void {
    const path = folder.path + sep + skillFile;
    const linked = entry.isSymbolicLink();
    const real = linked ? tryRealpath(path) : realOf(folder, path, skillFile);
    const target = real === undefined ? undefined : tryStat(real);
    if (real === undefined) {
      this.found.refuse(folder, "link-broken", `${skillFile} is a link that ${linkProblem(path)}`);
    } else if (target !== undefined && !target.isFile()) {
      this.found.refuse(folder, "not-a-file", `${skillFile} is no regular file`);
    } else if (linked && !this.mayReach(real)) {
      this.found.refuse(folder, "link-outside-root", `${skillFile} is a link to ${real}, outside its root`);
    } else this.takeFile(folder, path, real, linked);
  }

  private takeFile(folder: Folder, path: string, real: string, linked: boolean): void {
    const { read, known, limits } = this.request;
    try {
      const seen =
        read === "nothing" ? unread : tryUnchanged(path, openaiPathOf(folder), known?.(this.root, path), "any");
      this.addCandidate(folder, path, real, linked, seen ?? readHead(path, limits.frontmatterBytes));
    } catch (error) {
      this.found.refuse(folder, "file-unreadable", `${skillFile} cannot be read: ${reasonOf(error)}`);
    }
  }

  private addCandidate(folder: Folder, path: string, realPath: string, linkedFile: boolean, file: FileFacts): void {
    const openai = file.head === undefined ? undefined : this.readOpenai(openaiPathOf(folder), path);
    this.found.candidates.push({
      root: this.root,
      path,
      dir: folder.path,
      folder: folder.name,
      realPath,
      realDir: folder.real,
      linked: folder.linked || linkedFile,
      size: file.size,
      mtimeMs: file.mtimeMs,
      inode: file.inode,
      stamp: file.stamp,
      beside: openai === undefined ? file.beside : besideStamp(openaiPathOf(folder)),
      head: file.head,
      openai,
    });
  }

  private readOpenai(path: string, skillPath: string): Uint8Array | undefined {
    if (!existsSync(path)) return undefined;
    const bytes = readSmall(path);
    // A folder `agents` that is a link may lead out of bounds.
    if (bytes !== undefined && this.mayReach(tryRealpath(path) ?? "")) return bytes;
    const message = "agents/openai.yaml is left out: it is no regular file of at most 64 KB inside the skill";
    this.found.report("openai-yaml", "warning", skillPath, message);
    return undefined;
  }
}

/** Without a head when it was not wanted or is known already. */
type FileFacts = FileStamp & Partial<Pick<FileHead, "head">>;

function byName(a: Folder, b: Folder): number {
  return a.name < b.name ? -1 : 1;
}

const unread: FileStamp = { size: 0, mtimeMs: 0, stamp: 0, inode: 0, beside: 0 };
const noFolders: Folder[] = [];
const namesKeepCase = process.platform === "linux";

// Nearly always the same text: no second copy of it then.
function realOf(folder: Folder, path: string, name: string): string {
  return folder.real === folder.path ? path : folder.real + sep + name;
}

const openaiFile = `${sep}agents${sep}openai.yaml`;

function openaiPathOf(folder: Folder): string {
  return folder.path + openaiFile;
}
