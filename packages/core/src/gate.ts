import type { Parsed } from "./report.ts";
import type { Skill } from "./skill.ts";
import type { SkillRef } from "./source.ts";

/** `hashes` reads every file of the skill; a gate that need not know does not ask. */
export type Gate = (
  skill: Skill,
  hashes: () => Promise<Readonly<Record<string, string>>>,
) => Promise<string | undefined>;

/** What a gate said of each skill; undefined lets it pass. */
export type Answers = ReadonlyMap<Skill, string | undefined>;

/** Asks a gate about every skill of a trusted root that it did not answer for yet. What cannot be read whole is held back. */
export async function askGate(
  gate: Gate | undefined,
  parsed: readonly Parsed[],
  fileHashes: (skill: SkillRef) => Promise<Readonly<Record<string, string>>>,
  known: Answers,
): Promise<Answers> {
  const answers = new Map<Skill, string | undefined>();
  if (gate === undefined) return answers;
  for (const { skill } of parsed) {
    if (skill === undefined || !skill.root.trusted) continue;
    const ask = () => gate(skill, () => fileHashes(skill)).catch((error: Error) => error.message);
    answers.set(skill, known.has(skill) ? known.get(skill) : await ask());
  }
  return answers;
}

/** The skills that are held back, each with its reason. */
export function onlyBarred(answers: Answers): ReadonlyMap<Skill, string> {
  const barred = new Map<Skill, string>();
  for (const [skill, reason] of answers) if (reason !== undefined) barred.set(skill, reason);
  return barred;
}
