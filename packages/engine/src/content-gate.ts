import type { Skill, SkillRef, Skills } from "@skillholm/core";
import type { ContentTrust, FileHashes } from "@skillholm/store";

/** A file that is not as it was when its skill was trusted. */
export interface ChangedFile {
  readonly path: string;
  readonly change: "changed" | "new" | "gone";
  /** Absent for files that are no text, or too long to keep. */
  readonly before?: string;
  readonly after?: string;
}

/** Why a project's skill waits again, if it does: any of its files is another one than the person saw. */
export function judgeContent(trust: ContentTrust, skill: Skill, now: FileHashes): string | undefined {
  // Only what a person trusted by its folder, or takes from a server; their own skills are theirs to change.
  const { project, origin } = skill.root;
  if (project === undefined && origin === undefined) return undefined;
  const before = trust.get(skill.realPath);
  if (before === undefined && origin !== undefined) return `it comes from ${origin}, and nobody has approved it yet`;
  if (before === undefined) return "nobody has looked at it since every change has to be trusted";
  const changes = compareHashes(before, now).map(({ path, change }) =>
    change === "changed" ? path : `${path} (${change})`,
  );
  if (changes.length === 0) return undefined;
  const named = changes.slice(0, 5).join(", ");
  return `it has changed since you trusted it: ${named}${changes.length > 5 ? ", …" : ""}`;
}

function compareHashes(before: FileHashes, now: FileHashes): readonly Pick<ChangedFile, "path" | "change">[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return paths.flatMap((path) => {
    if (before[path] === now[path]) return [];
    const change = before[path] === undefined ? "new" : now[path] === undefined ? "gone" : "changed";
    return [{ path, change } as const];
  });
}

// A text that somebody would read a difference of.
const textBytes = 64 * 1024;

/** Remembers a skill as it is now. */
export async function trustContent(trust: ContentTrust, skills: Skills, skill: SkillRef): Promise<void> {
  const hashes = await skills.fileHashes(skill);
  for (const [path, hash] of Object.entries(hashes)) {
    const text = await readText(skills, skill, path);
    if (text !== undefined) trust.keepText(hash, text);
  }
  await trust.set(skill.realPath, hashes);
}

/** What is not as it was, with both texts where there are some. */
export async function findChanges(
  trust: ContentTrust,
  skills: Skills,
  skill: SkillRef,
): Promise<readonly ChangedFile[]> {
  const now = await skills.fileHashes(skill);
  const before = trust.get(skill.realPath) ?? {};
  const changed: ChangedFile[] = [];
  for (const { path, change } of compareHashes(before, now)) {
    const old = before[path] === undefined ? undefined : trust.readText(before[path]);
    const text = change === "gone" ? undefined : await readText(skills, skill, path);
    changed.push({
      path,
      change,
      ...(old !== undefined && { before: old }),
      ...(text !== undefined && { after: text }),
    });
  }
  return changed;
}

async function readText(skills: Skills, skill: SkillRef, path: string): Promise<string | undefined> {
  const bytes = await skills.read(skill, path);
  if (bytes.length > textBytes || bytes.includes(0)) return undefined;
  return new TextDecoder().decode(bytes);
}
