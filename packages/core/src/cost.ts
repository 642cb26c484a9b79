import { skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import type { LoadedSkills } from "./load.ts";
import type { SkillRef } from "./source.ts";
import { countTokens } from "./tokens.ts";

/** What a skill costs a model at each of the three tiers, in estimated tokens. */
export interface SkillCost {
  /** Name and description, in every conversation. */
  readonly catalog: number;
  /** The instructions, when the skill is activated; absent where they cannot be read. */
  readonly instructions?: number;
  /** All text files together; each is read only when the instructions ask for it. */
  readonly resources: number;
  readonly files: readonly FileCost[];
  readonly filesTruncated: boolean;
}

export interface FileCost {
  readonly path: string;
  readonly bytes: number;
  /** Absent for binary files, and for those that cannot be read whole. */
  readonly tokens?: number;
}

// Beyond this a file is not read just to tell its price.
const measuredBytes = 1024 * 1024;

/** Reads a skill's files and counts; `catalog` is what its entry in the catalog costs. */
export async function measureSkill(skills: LoadedSkills, skill: SkillRef, catalog: number): Promise<SkillCost> {
  const list = await skills.files(skill);
  const files: FileCost[] = [];
  for (const { path, bytes } of list.files) {
    const tokens = path === skillFile || bytes > measuredBytes ? undefined : await countFile(skills, skill, path);
    files.push(tokens === undefined ? { path, bytes } : { path, bytes, tokens });
  }
  const body = await readable(skills.body(skill));
  return {
    catalog,
    ...(body === undefined ? {} : { instructions: countTokens(body) }),
    resources: files.reduce((sum, file) => sum + (file.tokens ?? 0), 0),
    files,
    filesTruncated: list.truncated,
  };
}

// One file that is too large or may not be read does not cost the price of the others.
async function readable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SkillError) return undefined;
    throw error;
  }
}

async function countFile(skills: LoadedSkills, skill: SkillRef, path: string): Promise<number | undefined> {
  const bytes = await readable(skills.read(skill, path));
  if (bytes === undefined || bytes.includes(0)) return undefined;
  return countTokens(new TextDecoder().decode(bytes));
}
