/// <reference lib="esnext.disposable" preserve="true" />
import type { Diagnostic } from "./diagnostic.ts";
import type { Head } from "./frontmatter.ts";
import type { Limits } from "./limits.ts";
import type { Root } from "./root.ts";

/** What tells one version of a file from another. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  /** Changes whenever the file does; 0 when that cannot be promised (the file is seconds old). */
  readonly stamp: number;
  /** Tells two files of one stamp apart; 0 where the source has no such thing. */
  readonly inode: number;
  /** The same two in one for `agents/openai.yaml`; 0 where there is none. */
  readonly beside: number;
}

/** A `SKILL.md` that a scan reached, with its frontmatter. */
export interface Candidate extends FileStamp {
  readonly root: Root;
  readonly path: string;
  readonly dir: string;
  /** The folder's own name, as it was reached. */
  readonly folder: string;
  readonly realPath: string;
  /** The folder with every link resolved; what is read of the skill must lie in it. */
  readonly realDir: string;
  /** Reached through a link, so that another root may hold the real one. */
  readonly linked: boolean;
  /** Absent when the file's stamp was already known. */
  readonly head?: Head | undefined;
  /** `agents/openai.yaml`, where there is one. */
  readonly openai?: Uint8Array | undefined;
}

/** A place that should hold a skill and cannot be one: it still gets a state. */
export interface Reject {
  readonly root: Root;
  readonly path: string;
  readonly realPath: string;
  readonly dir: string;
  readonly realDir: string;
  readonly folder: string;
  readonly reason: string;
}

/** All that one root holds. */
export interface Scan {
  readonly root: Root;
  readonly exists: boolean;
  readonly candidates: readonly Candidate[];
  readonly rejects: readonly Reject[];
  readonly diagnostics: readonly Diagnostic[];
  /** A limit ended the walk early. */
  readonly truncated: boolean;
}

export interface ScanRequest {
  readonly limits: Limits;
  /** `skip`: a skill's folder is a leaf of the walk. */
  readonly nested: "skip" | "find";
  /** Every root of this load: a link into another one is that root's skill. */
  readonly roots: readonly Root[];
  /** Stamps of the last load by path and real path; a candidate with the same stamp comes without its head. */
  readonly known?: (root: Root, path: string, realPath: string) => FileStamp | undefined;
  /** `nothing`: only which skills are there. */
  readonly read?: "head" | "nothing";
  /** The last scan of this root: a source may look only at what changed, and answers for the whole root all the same. */
  readonly since?: Since | undefined;
}

/** A scan, and the paths strictly below its root that changed after it. Its candidates may have lost their heads. */
export interface Since {
  readonly scan: Scan;
  readonly changed: readonly string[];
}

/** One file of a skill; `path` is relative with `/`. */
export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
}

/** The beginning of a file. */
export interface FileStart {
  readonly bytes: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
}

export interface FileList {
  readonly files: readonly FileEntry[];
  readonly truncated: boolean;
}

/** What a source needs to find a skill again. */
export interface SkillRef {
  readonly root: Root;
  readonly path: string;
  readonly dir: string;
  readonly realPath: string;
  readonly realDir: string;
}

/** A source and the roots that it holds. */
export interface SourceRoots {
  readonly source: Source;
  readonly roots: readonly Root[];
}

/** The port through which files are listed and read. Coarse, so that each source is as fast as it can be. */
export interface Source {
  scan(root: Root, request: ScanRequest): Promise<Scan>;
  files(skill: SkillRef, limits: Limits): Promise<FileList>;
  /** One file of a skill, whole. Refuses what lies outside the skill or over the limit. */
  read(skill: SkillRef, file: string, limits: Limits): Promise<Uint8Array>;
  /** The first bytes of a file, however large it is, and how many it has. */
  readStart(skill: SkillRef, file: string, bytes: number): Promise<FileStart>;
  /** The first bytes of each skill's `SKILL.md`, where many at once are cheaper; undefined for what cannot be read. */
  starts?(skills: readonly SkillRef[], bytes: number): Promise<readonly (Uint8Array | undefined)[]>;
  /** sha256 of every file of a skill, where the source knows them and reading would fetch it all. */
  hashes?(skill: SkillRef): Readonly<Record<string, string>> | undefined;
  /**
   * Tells of changed paths below a root; of `root.path` itself when anything may have changed. It counts from the next
   * scan on: each scan finds out what is to be watched, so that nothing falls between the look and the watch.
   */
  watch?(root: Root, changed: (paths: readonly string[]) => void, limits: Limits): Disposable;
}
