import { type Dirent, existsSync } from "node:fs";
import { sep } from "node:path";
import { skillFile } from "./discover.ts";
import type { Folder, Found } from "./fs-found.ts";
import { besideStamp, type FileHead, readHead, readSmall, tryReadHead, tryUnchanged } from "./fs-head.ts";
import { linkProblem, realOf, reasonOf, tryRealpath, tryStat } from "./fs-path.ts";
import type { RootWatch } from "./fs-watch.ts";
import type { FileStamp, ScanRequest } from "./source.ts";

/** Takes the skill of one folder: its head and stamp, or the reason why it cannot be taken. */
export class Taker {
  private readonly found: Found;
  private readonly request: ScanRequest;
  private readonly mayReach: (real: string) => boolean;
  private readonly watch: RootWatch | undefined;

  constructor(found: Found, request: ScanRequest, mayReach: (real: string) => boolean, watch: RootWatch | undefined) {
    this.found = found;
    this.request = request;
    this.mayReach = mayReach;
    this.watch = watch;
  }

  /**
   * The usual case without listing the folder: a regular file of this very name opens at once, and a skill's folder is
   * a leaf. Only where file names keep their case; anything unusual is left to the careful way.
   */
  takeAtOnce(folder: Folder): boolean {
    const { read, nested, known, limits } = this.request;
    if (!namesKeepCase || folder.depth === 0 || nested === "find" || read === "nothing") return false;
    const path = folder.path + sep + skillFile;
    const real = realOf(folder, path, skillFile);
    this.watch?.enterBeside(folder.path);
    const before = known?.(this.found.root, path, real);
    const seen = before === undefined ? undefined : tryUnchanged(path, openaiPathOf(folder), before, "no link");
    const file = seen ?? tryReadHead(path, limits.frontmatterBytes);
    if (file !== undefined) this.addCandidate(folder, path, real, false, file);
    return file !== undefined;
  }

  /** The careful way: looks at what the file is, follows a link within bounds, and gives every refusal a reason. */
  takeSkill(folder: Folder, entry: Dirent): void {
    const path = folder.path + sep + skillFile;
    const linked = entry.isSymbolicLink();
    this.watch?.enterBeside(folder.path);
    if (linked) this.watch?.followLink(path);
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
        read === "nothing"
          ? unread
          : tryUnchanged(path, openaiPathOf(folder), known?.(this.found.root, path, real), "any");
      this.addCandidate(folder, path, real, linked, seen ?? readHead(path, limits.frontmatterBytes));
    } catch (error) {
      this.found.refuse(folder, "file-unreadable", `${skillFile} cannot be read: ${reasonOf(error)}`);
    }
  }

  private addCandidate(folder: Folder, path: string, realPath: string, linkedFile: boolean, file: FileFacts): void {
    const openai = file.head === undefined ? undefined : this.readOpenai(openaiPathOf(folder), path);
    this.found.candidates.push({
      root: this.found.root,
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

const unread: FileStamp = { size: 0, mtimeMs: 0, stamp: 0, inode: 0, beside: 0 };
const namesKeepCase = process.platform === "linux";
const openaiFile = `${sep}agents${sep}openai.yaml`;

function openaiPathOf(folder: Folder): string {
  return folder.path + openaiFile;
}
