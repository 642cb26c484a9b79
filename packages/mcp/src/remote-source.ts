import type { Client } from "@modelcontextprotocol/client";
import {
  type Skill as SkillEntry,
  SkillsClient,
  SkillVerificationError,
} from "@modelcontextprotocol/client/ext/skills";
import {
  type Candidate,
  type Diagnostic,
  type Head,
  type Limits,
  type Reject,
  type Root,
  type Scan,
  SkillError,
  type SkillRef,
  type Source,
} from "@skillholm/core/portable";

/** What a server says of one skill: its entry, and its files by their paths in it. */
interface RemoteSkill {
  readonly entry: SkillEntry;
  readonly files: ReadonlyMap<string, RemoteFile>;
}

interface RemoteFile {
  readonly uri: string;
  readonly size: number;
  /** sha256 in hexadecimal digits. */
  readonly hash: string;
}

const manifestFile = "SKILL.md";
const timeout = 10_000;

/**
 * The skills of another MCP server, by its Skills extension. A scan takes its list and no file; a file comes when somebody
 * reads it, and only as the bytes whose size and digest the list named.
 */
export function createRemoteSource(connect: () => Promise<Client>): Source {
  const known = new Map<string, RemoteSkill>();
  // A connection for each piece of work: an open one would keep a command from ending.
  const use = async <T>(work: (skills: SkillsClient) => Promise<T>): Promise<T> => {
    const client = await connect();
    try {
      return await work(new SkillsClient(client, { skipInvalid: true }));
    } finally {
      await client.close();
    }
  };
  const find = ({ path }: SkillRef): RemoteSkill => {
    const skill = known.get(path);
    if (skill === undefined) throw new SkillError("unavailable", `Its server no longer lists ${path}.`);
    return skill;
  };
  const read = async (skill: SkillRef, file: string, most: number): Promise<Uint8Array> => {
    const { entry, files } = find(skill);
    const found = files.get(file);
    if (found === undefined) throw new SkillError("resource-not-found", `The skill has no file "${file}".`);
    if (found.size > most) {
      const message = `"${file}" has ${found.size} bytes; at most ${most} are read.`;
      throw new SkillError("resource-too-large", message);
    }
    try {
      return (await use((skills) => skills.read(entry, found.uri, { timeout }))).bytes;
    } catch (error) {
      throw new SkillError("unavailable", `"${file}" cannot be taken from ${skill.root.path}: ${reasonOf(error)}.`);
    }
  };
  return {
    scan: async (root, { limits }) => {
      try {
        const { skills, invalid } = await use((each) => each.list({}, { timeout }));
        known.clear();
        const rejects = invalid.map(({ uri, reason, index }) => toReject(root, uri ?? `skill://${index}`, reason));
        return takeAll(root, skills, rejects, limits, known);
      } catch (error) {
        const message = `its skills cannot be listed: ${reasonOf(error)}`;
        const diagnostic = { code: "root-unreadable", severity: "warning", path: root.path, message } as const;
        return scanOf(root, { exists: false, diagnostics: [diagnostic] });
      }
    },
    files: async (skill, limits) => {
      const all = [...find(skill).files].map(([path, { size }]) => ({ path, bytes: size }));
      return { files: all.slice(0, limits.files), truncated: all.length > limits.files };
    },
    read: (skill, file, limits) => read(skill, file, limits.fileBytes),
    readStart: async (skill, file, count) => {
      const bytes = await read(skill, file, Number.POSITIVE_INFINITY);
      return { bytes: bytes.subarray(0, count), size: bytes.length };
    },
    // A search ahead of everything must not fetch everything: names and descriptions are enough to be found by.
    starts: async (skills) => skills.map(() => undefined),
    hashes: (skill) => Object.fromEntries([...find(skill).files].map(([path, { hash }]) => [path, hash])),
  };
}

function takeAll(
  root: Root,
  entries: readonly SkillEntry[],
  invalid: readonly Reject[],
  limits: Limits,
  known: Map<string, RemoteSkill>,
): Scan {
  const candidates: Candidate[] = [];
  const rejects: Reject[] = [...invalid];
  for (const entry of entries.slice(0, limits.skills)) {
    if (entry.resources === "dynamic") {
      rejects.push(toReject(root, entry.uri, "its server lists no files, so that nothing can be verified"));
      continue;
    }
    const files = filesOf(entry, entry.resources);
    const place = placeOf(root, entry.uri);
    known.set(place.path, { entry, files });
    const size = files.get(manifestFile)?.size ?? 0;
    candidates.push({ ...place, linked: false, size, mtimeMs: 0, stamp: 0, inode: 0, beside: 0, head: headOf(entry) });
  }
  return scanOf(root, { candidates, rejects, truncated: entries.length > limits.skills });
}

function scanOf(root: Root, found: Partial<Scan> & { readonly diagnostics?: readonly Diagnostic[] }): Scan {
  return { root, exists: true, candidates: [], rejects: [], diagnostics: [], truncated: false, ...found };
}

function toReject(root: Root, uri: string, reason: string): Reject {
  return { ...placeOf(root, uri), reason };
}

/** `skill://a/b/SKILL.md` of the root `mcp://NAME` lies at `mcp://NAME/a/b/SKILL.md`. */
function placeOf(root: Root, uri: string): Omit<Reject, "reason"> {
  const path = `${root.path}/${uri.replace(/^[a-z][a-z0-9+.-]*:\/+/i, "")}`;
  const dir = path.slice(0, path.lastIndexOf("/"));
  return { root, path, realPath: path, dir, realDir: dir, folder: dir.slice(dir.lastIndexOf("/") + 1) };
}

/** The client has checked that each lies in the skill's folder, and is there once. */
function filesOf(
  { uri }: SkillEntry,
  resources: Exclude<SkillEntry["resources"], "dynamic">,
): ReadonlyMap<string, RemoteFile> {
  const start = uri.length - manifestFile.length;
  return new Map(
    resources.map(({ uri, size, digest }) => {
      const path = uri.slice(start).split("/").map(decodeSegment).join("/");
      return [path, { uri, size, hash: digest.replace(/^sha256:/, "") }];
    }),
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The frontmatter as it was listed, as JSON is YAML; the file itself has to say the same once it is read. */
function headOf({ frontmatter }: SkillEntry): Head {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return { status: "closed", text: `${lines.join("\n")}\n`, line: 2, broken: false };
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return error instanceof SkillVerificationError ? `it is not what was listed (${error.reason})` : message;
}
