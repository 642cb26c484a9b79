import type { LoadedSkills } from "./load.ts";
import type { Skill } from "./skill.ts";

// Once in a process, whatever conversation it is.
const warned = new WeakMap<LoadedSkills, Set<string>>();

/** Says each thing once. */
export function createWarnings(skills: LoadedSkills, warn: ((message: string) => void) | undefined) {
  const told = warned.get(skills) ?? new Set();
  warned.set(skills, told);
  const once = (key: string, message: string) => {
    if (!told.has(key)) warn?.(message);
    told.add(key);
  };
  const ofCut = ({ name, path }: Skill, file: string, removed = 0) => {
    if (removed > 0) once(`${path}\0${file}`, `${name}: ${file} is over the limit; ${removed} bytes were cut.`);
  };
  return { once, ofCut };
}
