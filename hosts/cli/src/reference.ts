import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { SkillError, type Skills } from "@skillholm/core";

/** A name first; what is no name, but a path that exists, is that path. */
export function toReference(skills: Skills, reference: string, cwd: string): string {
  const path = resolve(cwd, reference);
  if (isAbsolute(reference)) return path;
  try {
    skills.lookup(reference);
    return reference;
  } catch (error) {
    const isUnknown = error instanceof SkillError && error.code === "skill-not-found";
    return isUnknown && reference !== "" && existsSync(path) ? path : reference;
  }
}
