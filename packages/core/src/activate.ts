import { fillArguments } from "./arguments.ts";
import { bodyOf, cutBytes, cutTokens } from "./body.ts";
import { skillFile } from "./discover.ts";
import { sha256 } from "./hash.ts";
import type { LoadedSkills } from "./load.ts";
import type { Skill } from "./skill.ts";

/** A skill's instructions made ready for a model. */
export interface Activation {
  readonly skill: Skill;
  /** sha256 of the `SKILL.md` that the instructions are from. */
  readonly hash: string;
  readonly instructions: string;
  /** Bytes of the instructions that were over the limit. */
  readonly removed: number;
  /** What else lies in the skill's folder; none of it was read. */
  readonly files: readonly string[];
  readonly filesTruncated: boolean;
}

// A model needs to know what is there, not a thousand lines of it.
const namedFiles = 100;

/** Reads the instructions and fills the arguments in; `bodyTokens` cuts them before the limit in bytes does. */
export async function activateSkill(
  skills: LoadedSkills,
  skill: Skill,
  given = "",
  bodyTokens = Number.POSITIVE_INFINITY,
): Promise<Activation> {
  const { bodyBytes } = skills.limits;
  const bytes = await skills.read(skill, skillFile);
  // However long the body is, what it is to work on stays.
  const { body, ending } = fillArguments(bodyOf(bytes), given, bodyBytes);
  const filled = cutBytes(body, bodyBytes);
  const cut = bodyTokens === Number.POSITIVE_INFINITY ? { ...filled, removed: 0 } : cutTokens(filled.text, bodyTokens);
  const instructions = cut.text + ending;
  const removed = filled.removed + cut.removed;
  const list = await skills.files(skill);
  const files = list.files.map((file) => file.path).filter((path) => path !== skillFile);
  return {
    skill,
    hash: await sha256(bytes),
    instructions,
    removed,
    files: files.slice(0, namedFiles),
    filesTruncated: list.truncated || files.length > namedFiles,
  };
}
