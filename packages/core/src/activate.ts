import { fillArguments } from "./arguments.ts";
import { bodyOf, cutBytes, cutText, cutTokens } from "./body.ts";
import { skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import { sha256 } from "./hash.ts";
import type { LoadedSkills } from "./load.ts";
import { findSection, outlineOf, type Section, sectionOf } from "./outline.ts";
import type { Skill } from "./skill.ts";
import type { FileList } from "./source.ts";
import { countTokens } from "./tokens.ts";

/** A skill's instructions made ready for a model. */
export interface Activation {
  readonly skill: Skill;
  /** sha256 of the `SKILL.md` that the instructions are from. */
  readonly hash: string;
  readonly instructions: string;
  /** The `SKILL.md` as it is, frontmatter included, within the limits. */
  readonly file: string;
  /** Bytes of the instructions that were over a limit. */
  readonly removed: number;
  /** The sections of instructions that are longer than recommended, or were cut; empty for all others. */
  readonly outline: readonly Section[];
  /** What else lies in the skill's folder; none of it was read. */
  readonly files: readonly string[];
  readonly filesTruncated: boolean;
}

export interface ActivateOptions {
  /** What the skill should work on. */
  readonly given?: string | undefined;
  /** What the instructions may cost; cut before the limit in bytes does. */
  readonly bodyTokens?: number | undefined;
  /** The title of the only section that is wanted. */
  readonly section?: string | undefined;
}

// What the specification recommends for a body; whose is longer offers its sections one by one.
const recommended = 5000;

/** Reads the instructions and fills the arguments in. */
export async function activateSkill(
  skills: LoadedSkills,
  skill: Skill,
  { given = "", bodyTokens = Number.POSITIVE_INFINITY, section }: ActivateOptions = {},
): Promise<Activation> {
  const { bodyBytes, fileBytes, skillBytes } = skills.limits;
  const { bytes, size } = await skills.readStart(skill, skillFile, fileBytes);
  const whole = cutBytes(bytes, skillBytes);
  // However long the body is, what it is to work on stays.
  const text = bodyOf(bytes, skillBytes);
  const chosen = section === undefined ? text : readSection(text, section, skill.name);
  const { body, ending } = fillArguments(chosen, given, {
    limit: bodyBytes,
    names: skill.fields.arguments,
    empty: skills.policy.emptyArguments,
  });
  const filled = cutText(body, bodyBytes);
  const cut = cutTokens(filled.text, bodyTokens);
  const removed = size - whole.length + filled.removed + cut.removed;
  const isLong = section === undefined && (removed > 0 || isLongText(text));
  return {
    skill,
    hash: await sha256(bytes),
    instructions: cut.text + ending,
    file: cutFile(new TextDecoder().decode(whole), text, bodyTokens),
    removed,
    outline: isLong ? outlineOf(text) : [],
    ...(await nameFiles(skills, skill)),
  };
}

/** The whole frontmatter, and as much of the body as it may cost. */
function cutFile(file: string, body: string, limit: number): string {
  const { text, removed } = cutTokens(body, limit);
  return removed === 0 ? file : file.slice(0, Math.max(0, file.lastIndexOf(body))) + text;
}

// No script takes more than two tokens a character, so that a short text need not be counted.
function isLongText(text: string): boolean {
  return text.length * 2 > recommended && countTokens(text) > recommended;
}

function readSection(body: string, title: string, name: string): string {
  const text = sectionOf(body, title);
  if (text !== undefined) return text.trim();
  const { closest } = findSection(body, title);
  const hint = closest.length === 0 ? "It has none." : `It has: ${closest.join("; ")}.`;
  throw new SkillError("resource-not-found", `"${name}" has no section "${title}". ${hint}`, { name });
}

function unlisted(error: unknown): FileList {
  if (error instanceof SkillError) return { files: [], truncated: true };
  throw error;
}

/** The skill's other files by name, as many as a model needs to know of. */
async function nameFiles(skills: LoadedSkills, skill: Skill): Promise<Pick<Activation, "files" | "filesTruncated">> {
  const { namedFiles, namedBytes } = skills.limits;
  // A folder that cannot be listed is no reason to withhold the instructions.
  const { files, truncated } = await skills.files(skill).catch(unlisted);
  const others = files.filter(({ path }) => path !== skillFile);
  let room = namedBytes;
  const named = others.slice(0, namedFiles).filter(({ bytes }) => {
    room -= bytes;
    return room >= 0;
  });
  return { files: named.map(({ path }) => path), filesTruncated: truncated || named.length < others.length };
}
