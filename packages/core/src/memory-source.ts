import { compareText, type Diagnostic } from "./diagnostic.ts";
import { isMisspelt, isSkippedFolder, skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import { readFrontmatter } from "./frontmatter.ts";
import type { Limits } from "./limits.ts";
import type { Root } from "./root.ts";
import type { Candidate, FileEntry, FileList, Reject, Scan, ScanRequest, SkillRef, Source } from "./source.ts";

/** Absolute paths with `/`, each with its text or bytes. */
export type MemoryFiles = Readonly<Record<string, string | Uint8Array>>;

/** Skills that lie in memory: in a bundle, on an edge runtime, in a browser. */
export function createMemorySource(files: MemoryFiles): Source {
  const all = new Map(Object.entries(files).map(([path, content]) => [path, toBytes(content)]));
  return {
    scan: async (root, request) => scanFiles(all, root, request),
    files: async (skill, limits) => listFiles(all, skill, limits),
    read: async (skill, file, limits) => readFile(all, skill, file, limits.fileBytes),
    readStart: async (skill, file, count) => {
      const bytes = readFile(all, skill, file, Number.POSITIVE_INFINITY);
      return { bytes: bytes.subarray(0, count), size: bytes.length };
    },
  };
}

type Files = ReadonlyMap<string, Uint8Array>;

function scanFiles(files: Files, root: Root, request: ScanRequest): Scan {
  const base = `${root.path.replace(/\/$/, "")}/`;
  const candidates: Candidate[] = [];
  const rejects: Reject[] = [];
  const diagnostics: Diagnostic[] = [];
  const paths = [...files.keys()].filter((path) => path.startsWith(base)).sort(byFolder);
  const skillFolders = new Set(paths.filter((path) => nameOf(path) === skillFile).map(folderOf));
  let tooDeep = 0;
  for (const path of paths) {
    const dir = folderOf(path);
    const folders = dir.slice(base.length).split("/").filter(Boolean);
    const leaf = request.nested === "skip" && hasSkillAbove(dir, base, skillFolders);
    if (leaf || folders.some(isSkippedFolder)) continue;
    const place = { root, path, realPath: path, dir, realDir: dir, folder: nameOf(dir) };
    if (isMisspelt(nameOf(path)) && !skillFolders.has(dir)) {
      const reason = `the file is named "${nameOf(path)}"; only "${skillFile}" makes a skill: rename it`;
      rejects.push({ ...place, reason });
      diagnostics.push({ code: "file-name", severity: "warning", path, message: reason });
    }
    if (nameOf(path) !== skillFile) continue;
    if (folders.length > request.limits.depth) tooDeep++;
    else candidates.push(takeCandidate(files, place, request));
  }
  if (tooDeep > 0) {
    const message = `deeper than ${request.limits.depth} levels, and left out: ${tooDeep}`;
    diagnostics.push({ code: "depth-limit", severity: "info", path: root.path, message });
  }
  return { root, exists: paths.length > 0, candidates, rejects, diagnostics, truncated: false };
}

// Folder by folder, as a walk goes: "a/x" comes before "a-b/x".
function byFolder(a: string, b: string): number {
  return compareText(a.replaceAll("/", "\0"), b.replaceAll("/", "\0"));
}

function takeCandidate(
  files: Files,
  place: Pick<Candidate, "root" | "path" | "realPath" | "dir" | "realDir" | "folder">,
  request: ScanRequest,
): Candidate {
  const bytes = files.get(place.path) ?? new Uint8Array();
  const openai = files.get(`${place.dir}/agents/openai.yaml`);
  const length = Math.min(bytes.length, request.limits.frontmatterBytes);
  const head = readFrontmatter(bytes, length, length === bytes.length);
  const facts = { linked: false, size: bytes.length, mtimeMs: 0, stamp: 0, inode: 0, beside: 0 };
  return { ...place, ...facts, head, ...(openai === undefined ? {} : { openai }) };
}

function hasSkillAbove(dir: string, base: string, skillFolders: ReadonlySet<string>): boolean {
  for (let folder = folderOf(dir); folder.length >= base.length; folder = folderOf(folder)) {
    if (skillFolders.has(folder)) return true;
  }
  return false;
}

function listFiles(files: Files, skill: SkillRef, limits: Limits): FileList {
  const found: FileEntry[] = [];
  for (const [path, bytes] of files) {
    if (path.startsWith(`${skill.dir}/`)) found.push({ path: path.slice(skill.dir.length + 1), bytes: bytes.length });
  }
  found.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: found.slice(0, limits.files), truncated: found.length > limits.files };
}

function readFile(files: Files, skill: SkillRef, file: string, limit: number): Uint8Array {
  const parts = file.split("/").filter((part) => part !== "" && part !== ".");
  if (file.startsWith("/") || parts.includes("..")) {
    throw new SkillError("path-outside-skill", `"${file}" lies outside the skill's folder.`);
  }
  const bytes = files.get(`${skill.dir}/${parts.join("/")}`);
  if (bytes === undefined) throw new SkillError("resource-not-found", `The skill has no file "${file}".`);
  if (bytes.length <= limit) return bytes;
  const message = `"${file}" has ${bytes.length} bytes; at most ${limit} are read.`;
  throw new SkillError("resource-too-large", message);
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
