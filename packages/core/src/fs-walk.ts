import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { isSkippedFolder, skillFile } from "./discover.ts";
import { type Folder, Found, type FsScan } from "./fs-found.ts";
import { isInside, linkProblem, realOf, reasonOf, tryRealpath, tryStat } from "./fs-path.ts";
import { Taker } from "./fs-take.ts";
import type { RootWatch } from "./fs-watch.ts";
import type { Root } from "./root.ts";
import type { ScanRequest } from "./source.ts";

/**
 * Walks one root depth first, in name order, one file handle at a time. A generator, so that a host can drain it in
 * slices: it yields every few folders.
 */
export function* walkRoot(root: Root, request: ScanRequest, watch?: RootWatch): Generator<void, FsScan> {
  watch?.begin("all");
  const walk = new Walk(root, request, watch);
  const top = walk.enterRoot();
  yield* walk.visitAll(top === undefined ? [] : [top]);
  watch?.settle();
  return walk.found.result(top !== undefined, request.limits.depth, watch?.problem);
}

type Entry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** One walk, of a whole root or of some parts of it; `before` is the scan that the parts belong to. */
export class Walk {
  readonly found: Found;
  readonly root: Root;
  readonly request: ScanRequest;
  private readonly watch: RootWatch | undefined;
  private readonly taker: Taker;
  /** Real folders that links led to, with the depth at which they were entered. */
  private readonly followed = new Map<string, number>();
  /** The links of the scan before, which were judged in the light of the whole root. */
  private readonly judged: ReadonlyMap<string, { readonly real: string; readonly entered: boolean }>;

  constructor(root: Root, request: ScanRequest, watch?: RootWatch, before?: FsScan) {
    this.root = root;
    this.request = request;
    this.watch = watch;
    this.found = new Found(root, before);
    this.judged = new Map(before?.links.map((link) => [link.path, link]));
    this.taker = new Taker(this.found, request, (real) => this.mayReach(real), watch);
  }

  /** The root's folder; undefined when it is not there or may not be entered. */
  enterRoot(): Folder | undefined {
    const { path, project } = this.root;
    this.watch?.enterRoot();
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
    this.found.bounds = [real, ...others.flatMap((other) => tryRealpath(other.path) ?? [])];
    const inside = project === undefined || isInside(real, tryRealpath(project) ?? project);
    if (inside) return { path, real, name: path.slice(path.lastIndexOf(sep) + 1), depth: 0, linked: false };
    if (!this.found.bounds.slice(1).includes(real)) {
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

  /** Takes every skill in these folders and below. */
  *visitAll(folders: readonly Folder[]): Generator<void, void> {
    const stack = folders.toReversed();
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      if (this.isExhausted(folder)) return;
      for (const child of this.visit(folder).reverse()) stack.push(child);
      if (this.found.folders % 32 === 0) yield;
    }
  }

  private isExhausted(folder: Folder): boolean {
    const { limits } = this.request;
    const { found } = this;
    found.folders++;
    if (found.folders <= limits.folders && found.entries <= limits.entries) return false;
    found.truncated = true;
    const what = found.folders > limits.folders ? `${limits.folders} folders` : `${limits.entries} entries`;
    this.found.report("scan-limit", "warning", folder.path, `the walk ended here: a root may hold ${what}`);
    return true;
  }

  /** Takes the skill in a folder, if there is one, and returns the folders to go on with. */
  private visit(folder: Folder): Folder[] {
    // Watched before it is looked at, so that nothing falls in between.
    this.watch?.enter(folder.path);
    if (this.taker.takeAtOnce(folder)) {
      this.watch?.markLeaf(folder.path);
      return noFolders;
    }
    const entries = this.list(folder.path);
    this.found.entries += entries.length;
    const file = entries.find((entry) => entry.name === skillFile);
    if (file === undefined) this.found.refuseMisspelt(folder, entries);
    else this.taker.takeSkill(folder, file);
    const isLeaf = file !== undefined && folder.depth > 0 && this.request.nested === "skip";
    if (!isLeaf) return this.childrenOf(folder, entries);
    this.watch?.markLeaf(folder.path);
    return noFolders;
  }

  /** The same for one entry of a folder: the folder to go on with, if it is one. */
  enterChild(folder: Folder, name: string): readonly Folder[] {
    const stats = lstatSync(folder.path + sep + name, { throwIfNoEntry: false });
    return stats === undefined ? noFolders : this.childrenOf(folder, [Object.assign(stats, { name })]);
  }

  /** A folder on the way to a part, reached as the scan before reached it; undefined where that is not certain. */
  stepInto(folder: Folder, name: string): Folder | undefined {
    const path = folder.path + sep + name;
    const depth = folder.depth + 1;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || depth > this.request.limits.depth) return undefined;
    if (stats.isDirectory()) return { path, real: realOf(folder, path, name), name, depth, linked: folder.linked };
    const link = this.judged.get(path);
    if (link === undefined || !link.entered || tryRealpath(path) !== link.real) return undefined;
    return { path, real: link.real, name, depth, linked: true };
  }

  private list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      this.found.report("folder-unreadable", "warning", path, `cannot list the folder: ${reasonOf(error)}`);
      return [];
    }
  }

  private childrenOf(folder: Folder, entries: readonly Entry[]): Folder[] {
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
      if (depth > this.request.limits.depth) this.found.deep.push(path);
      else children.push(child);
    }
    return children.sort(byName);
  }

  /** A linked folder, if it may be entered: once, not in a circle, and not out of bounds. */
  private follow(folder: Folder, path: string, name: string): Folder | undefined {
    this.watch?.followLink(path);
    const real = tryRealpath(path);
    const target = real === undefined ? undefined : tryStat(real);
    if (target === undefined || real === undefined) {
      this.found.report("link-broken", "warning", path, `the link ${linkProblem(path)}`);
      return undefined;
    }
    if (!target.isDirectory() || isInside(folder.real, real)) return undefined;
    const depth = folder.depth + 1;
    if (!this.mayReach(real)) {
      this.watch?.enterRefused(path);
      const reason = `the link leads to ${real}, outside its root; copy the skill, or link it from your own skills folder`;
      if (tryStat(path + sep + skillFile) === undefined)
        this.found.report("link-outside-root", "warning", path, reason);
      else this.found.refuse({ path, real: path, name }, "link-outside-root", reason);
      return undefined;
    }
    const entered = this.mayEnter(path, real, depth);
    this.found.links.push({ path, real, entered });
    return entered ? { path, real, name, depth, linked: true } : undefined;
  }

  // Entered again only from a higher place, from which more of it is within reach.
  private mayEnter(path: string, real: string, depth: number): boolean {
    const link = this.judged.get(path);
    if (link?.real === real) return link.entered;
    if ((this.followed.get(real) ?? Number.POSITIVE_INFINITY) <= depth) return false;
    if (depth <= this.request.limits.depth) this.followed.set(real, depth);
    return true;
  }

  private mayReach(real: string): boolean {
    return this.root.links === "anywhere" || this.found.bounds.some((bound) => isInside(real, bound));
  }
}

function byName(a: Folder, b: Folder): number {
  return a.name < b.name ? -1 : 1;
}

const noFolders: Folder[] = [];
