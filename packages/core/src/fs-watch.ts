import { type FSWatcher, lstatSync, readlinkSync, watch } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { skillFile } from "./discover.ts";
import { tryRealpath, tryStat } from "./fs-path.ts";
import { dropNames, pathsToTell, type Watched } from "./fs-watched.ts";
import type { Root } from "./root.ts";

/** How often a root is looked at where watching it failed. */
const pollMs = 2000;
// However large a root is, looking takes at most a twentieth of the time.
const pollShare = 20;
// The system drops events without a word when 16,384 wait. Long before that, everything counts as changed.
const burst = 4096;
const burstMs = 1000;
// A chain of links that is longer is nobody's installation.
const mostHops = 8;

/**
 * Watches the folders of one root, one plain `fs.watch` each. Walks say which: each enters a folder here before it looks
 * into it, and settles at its end what is no longer there.
 */
export class RootWatch {
  /** What is wrong with watching, if anything is. */
  problem: string | undefined;
  private readonly root: Root;
  private readonly most: number;
  private readonly listeners = new Set<(paths: readonly string[]) => void>();
  private readonly folders = new Map<string, Watched>();
  private look = 0;
  private began = 0;
  private events = 0;
  private burstEnd = 0;
  /** Further watches need not be tried in this look. */
  private isRefused = false;
  private poll: NodeJS.Timeout | undefined;

  constructor(root: Root, most: number) {
    this.root = root;
    this.most = most;
  }

  /** Returns how to stop, which says how many still listen; with the last one everything is released. */
  listen(changed: (paths: readonly string[]) => void): () => number {
    const listener = (paths: readonly string[]) => changed(paths);
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.close();
      return this.listeners.size;
    };
  }

  /** A look begins; one at all of the root tries again what was refused. */
  begin(extent: "all" | "parts"): void {
    this.look++;
    this.began = performance.now();
    if (extent === "parts") return;
    this.problem = undefined;
    this.isRefused = false;
  }

  enterRoot(): void {
    this.watchWay(this.root.path, this.root.path);
    this.followLink(this.root.path);
  }

  /** A folder that the walk is about to look into. */
  enter(path: string): void {
    const watched = this.watchFolder(path);
    if (watched === undefined) return;
    watched.entered = this.look;
    watched.leaf = false;
  }

  /** The folder holds a skill, and its other files make no difference. */
  markLeaf(path: string): void {
    const watched = this.folders.get(path);
    if (watched !== undefined) watched.leaf = true;
    else this.fail("a skill's folder may not be watched");
  }

  /** `agents/openai.yaml` of a skill. */
  enterBeside(folder: string): void {
    this.watchName(`${folder}${sep}agents`, "openai.yaml", `${folder}${sep}agents`);
  }

  /** A folder that a link may not lead to: only whether it holds a skill is told. */
  enterRefused(path: string): void {
    this.watchName(path, skillFile, path);
    this.followLink(path + sep + skillFile);
  }

  /** Where a link leads, and the link there, if it is one: each may be put in another's place. */
  followLink(path: string): void {
    let at = path;
    for (let hop = 0; hop < mostHops; hop++) {
      const target = tryReadlink(at);
      if (target === undefined) return;
      const from = dirname(at);
      at = resolve(tryRealpath(from) ?? from, target);
      this.watchWay(at, path);
    }
  }

  /** A look ended: folders that it did not come to are released, of those that it was about. */
  settle(isPart: (path: string) => boolean = () => true): void {
    for (const [path, watched] of this.folders) {
      if (watched.entered !== this.look && isPart(path)) watched.entered = 0;
      if (watched.names !== undefined) dropNames(watched.names, this.look, isPart);
      if (watched.entered === 0 && !watched.names?.size) this.release(path, watched);
    }
    clearTimeout(this.poll);
    if (this.problem === undefined || this.listeners.size === 0) return;
    const wait = Math.max(pollMs, (performance.now() - this.began) * pollShare);
    this.poll = setTimeout(() => this.tell([this.root.path]), wait).unref();
  }

  private close(): void {
    clearTimeout(this.poll);
    for (const [path, watched] of this.folders) this.release(path, watched);
  }

  /**
   * Every folder above a path, which may be moved, removed or only now be made. From above down: what appears meanwhile
   * is seen by the folder above it, or is there to be watched.
   */
  private watchWay(path: string, told: string): void {
    const above = [path];
    for (let at = dirname(path); at !== above[0]; at = dirname(at)) above.unshift(at);
    for (const [index, folder] of above.slice(0, -1).entries()) {
      const isLast = index === above.length - 2;
      this.watchName(folder, basename(above[index + 1] ?? ""), isLast ? told : this.root.path);
    }
  }

  private watchName(folder: string, name: string, told: string): void {
    const watched = this.watchFolder(folder);
    if (watched === undefined) return;
    watched.names ??= new Map();
    const paths = watched.names.get(name) ?? new Map<string, number>();
    watched.names.set(name, paths.set(told, this.look));
  }

  private watchFolder(path: string): Watched | undefined {
    const known = this.folders.get(path);
    if (known?.checked === this.look && !known.stale) return known;
    const stats = tryStat(path);
    if (stats === undefined || !stats.isDirectory() || this.listeners.size === 0) return undefined;
    const { ino: inode, dev: device } = stats;
    if (known !== undefined && !known.stale && known.inode === inode && known.device === device) {
      known.checked = this.look;
      return known;
    }
    if (known !== undefined) this.release(path, known);
    if (this.folders.size >= this.most) this.refuse(`more than ${this.most} folders would have to be watched`);
    return this.isRefused ? undefined : this.watchAnew(path, inode, device, known);
  }

  private watchAnew(path: string, inode: number, device: number, before?: Watched): Watched | undefined {
    try {
      const watcher = watch(path, { persistent: false }, (event, name) => this.notice(path, event, name));
      watcher.on("error", () => this.lose(path, watcher));
      const { entered = 0, names } = before ?? {};
      const place = { watcher, inode, device, checked: this.look, stale: false };
      const fresh = { ...place, entered, leaf: false, ...(names && { names }) };
      this.folders.set(path, fresh);
      return fresh;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // What is gone or closed to us the walk finds out too.
      if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") this.refuse(`the system refused (${code})`);
      return undefined;
    }
  }

  private notice(path: string, event: string, name: string | null): void {
    const watched = this.folders.get(path);
    if (watched === undefined) return;
    this.countEvent();
    const told = pathsToTell(watched, path, event, name);
    if (told.length === 0) return;
    // Another folder may be there by now, even under the same number.
    for (const each of event === "rename" ? told : []) {
      const folder = this.folders.get(each);
      if (folder !== undefined) folder.stale = true;
    }
    this.tell(told);
  }

  private tell(paths: readonly string[]): void {
    for (const changed of this.listeners) changed(paths);
  }

  private countEvent(): void {
    const now = performance.now();
    if (now > this.burstEnd) this.events = 0;
    if (this.events++ === 0) this.burstEnd = now + burstMs;
    if (this.events !== burst) return;
    for (const watched of this.folders.values()) watched.stale = true;
    this.tell([this.root.path]);
  }

  private refuse(reason: string): void {
    this.isRefused = true;
    this.fail(reason);
  }

  private fail(reason: string): void {
    // A look that outlives its watch misses nothing.
    if (this.listeners.size === 0) return;
    this.problem ??= `not every change is seen at once: ${reason}; looked at every ${pollMs / 1000} seconds instead`;
  }

  // On some systems a removed folder ends its watch with an error.
  private lose(path: string, watcher: FSWatcher): void {
    const watched = this.folders.get(path);
    if (watched?.watcher !== watcher) return;
    this.release(path, watched);
    this.tell([this.root.path]);
  }

  private release(path: string, watched: Watched): void {
    watched.watcher.close();
    this.folders.delete(path);
  }
}

function tryReadlink(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
