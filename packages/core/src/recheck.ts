import { readFrontmatter } from "./frontmatter.ts";
import { folderOf } from "./name.ts";
import { parseSkill } from "./parse.ts";
import type { Policy } from "./policy.ts";
import type { Skill } from "./skill.ts";

/** Why the text that a skill's file has now would not load; undefined where it would. */
export function problemNow(skill: Skill, text: string, policy: Policy): string | undefined {
  const bytes = new TextEncoder().encode(text);
  const { root, path, dir, realPath, realDir, mtimeMs } = skill;
  const place = { root, path, dir, folder: folderOf(dir), realPath, realDir, linked: false };
  const candidate = { ...place, size: bytes.length, mtimeMs, stamp: 0, inode: 0, beside: 0 };
  return parseSkill(candidate, readFrontmatter(bytes, bytes.length, true), policy).reason;
}
