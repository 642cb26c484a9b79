import type { Skill } from "@skillholm/core/portable";

/** A file of a skill by its address; the path is empty for the skill's folder. */
export interface SkillAddress {
  readonly name: string;
  readonly path: string;
}

export const scheme = "skill://";

export function manifestUri(name: string): string {
  return `${scheme}${name}/SKILL.md`;
}

/** `skill://NAME/references/guide.md`, signs of the path written as addresses are. */
export function fileUri(name: string, path: string): string {
  return [scheme + name, ...path.split("/").map(encodeSegment)].join("/");
}

/** Undefined for what is no address of ours, and for paths that mean something else once they are read. */
export function parseUri(uri: string): SkillAddress | undefined {
  const [, name, rest = ""] = /^skill:\/\/([a-z0-9-]+)(\/[^?#]*)?$/.exec(uri) ?? [];
  if (name === undefined) return undefined;
  const segments = rest
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment);
  const path = segments.join("/");
  const isPlain = segments.every((each) => each !== undefined && !/[/\\\0]|^\.{1,2}$/.test(each));
  return isPlain ? { name, path } : undefined;
}

/** The addresses of skills that begin so, after the scheme. */
export function completeUri(skills: readonly Skill[], start: string): readonly string[] {
  return skills.map(({ name }) => `${name}/SKILL.md`).filter((each) => each.startsWith(start));
}

// What the SDK's own entries leave as it is, so that one file has one address.
const encoded = /[^\w!$&'()*+,.:;=@[\]|~-]/gu;

function encodeSegment(segment: string): string {
  return segment.replace(encoded, (sign) => encodeURIComponent(sign));
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
