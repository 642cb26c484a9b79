import type { Resource, ServerContext } from "@modelcontextprotocol/server";
import {
  DIRECTORY_MIME_TYPE,
  type Skill as SkillEntry,
  type SkillSource,
} from "@modelcontextprotocol/server/ext/skills";
import type { FileEntry, Skill, Skills } from "@skillholm/core/portable";
import { buildEntry, fitManifest } from "./entry.ts";
import type { McpHost } from "./host.ts";
import { typeOf } from "./media-type.ts";
import { compareKeys, takePage } from "./page.ts";
import type { Reports } from "./reports.ts";
import { servedSkills } from "./served.ts";
import { fileUri, parseUri } from "./uri.ts";

/**
 * The catalog as the extension wants it. Entries are made page by page, so that only the digests of one page are there at
 * once; what cannot be an entry is reported, and tools still give it.
 */
export function createSkillSource(host: McpHost, reports: Reports): Omit<SkillSource, "read" | "listResources"> {
  const build = async (skills: Skills, skill: Skill): Promise<SkillEntry | undefined> => {
    const { serving, entry } = await buildEntry(skills, skill);
    reports.add(skill, serving);
    return entry;
  };
  const find = async (uri: string) => {
    const { skills, session } = await host.open();
    const address = parseUri(uri);
    const skill = address && servedSkills(skills.catalog, session).byName.get(address.name);
    return address && skill && { skills, skill, path: address.path };
  };
  return {
    list: async ({ cursor }, context) => {
      const { skills, session } = await host.open();
      const { ordered } = servedSkills(skills.catalog, session);
      const { items, nextCursor } = takePage(ordered, ({ name }) => name, cursor);
      const entries: SkillEntry[] = [];
      for (const skill of items) {
        goesOn(context);
        entries.push(...listOf(await build(skills, skill)));
      }
      return nextCursor === undefined ? { skills: entries } : { skills: entries, nextCursor };
    },
    get: async (uri) => {
      const found = await find(uri);
      return found?.path === "SKILL.md" ? build(found.skills, found.skill) : undefined;
    },
    readDirectory: async (uri, { cursor }) => {
      const found = await find(uri);
      if (found === undefined) return undefined;
      const { files } = await found.skills.files(found.skill);
      const children = await listChildren(found.skills, found.skill, files, found.path);
      if (children === undefined) return undefined;
      const { items, nextCursor } = takePage(children, (each) => each.uri, cursor);
      return nextCursor === undefined ? { resources: [...items] } : { resources: [...items], nextCursor };
    },
  };
}

function goesOn({ mcpReq }: ServerContext): void {
  mcpReq.signal.throwIfAborted();
}

function listOf<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item];
}

/** What lies right in a folder of a skill; undefined where it has no such folder. */
async function listChildren(
  skills: Skills,
  skill: Skill,
  files: readonly FileEntry[],
  folder: string,
): Promise<readonly Resource[] | undefined> {
  const start = folder === "" ? "" : `${folder}/`;
  const children = new Map<string, Resource>();
  for (const { path, bytes } of files) {
    if (!path.startsWith(start)) continue;
    const [name = "", ...below] = path.slice(start.length).split("/");
    const uri = fileUri(skill.name, start + name);
    const size = path === "SKILL.md" ? await manifestSize(skills, skill) : bytes;
    const file = { uri, name, mimeType: typeOf(name), size };
    children.set(uri, below.length > 0 ? { uri, name, mimeType: DIRECTORY_MIME_TYPE } : file);
  }
  return children.size === 0 ? undefined : [...children.values()].sort((a, b) => compareKeys(a.uri, b.uri));
}

/** Of the file as it is served. */
async function manifestSize(skills: Skills, skill: Skill): Promise<number> {
  return (await fitManifest(skills, skill, await skills.read(skill, "SKILL.md"))).bytes.length;
}
