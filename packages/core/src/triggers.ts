import type { Triggers } from "./fields.ts";
import type { Skill } from "./skill.ts";
import { loadCompiler, type Pattern } from "./trigger-patterns.ts";
import { foldText, wordsIn } from "./trigger-words.ts";

/** A skill whose triggers a message holds, and the first of them. */
export interface TriggerMatch {
  readonly skill: Skill;
  readonly by: "keyword" | "verb" | "pattern";
  /** The keyword or verb as its author wrote it; for a pattern the words of the message. */
  readonly match: string;
}

const textMaximum = 20_000;
// For the patterns of all skills together, and for their words: ordinary ones take a hundredth of it.
const patternTime = 500;
const wordTime = 500;

/** The skills that a message asks for by their own triggers: those with the most matches first, then as they are given. */
export async function matchTriggers(
  text: string,
  skills: readonly Skill[],
  most = 3,
): Promise<readonly TriggerMatch[]> {
  const message = text.slice(0, textMaximum);
  const asked = skills.flatMap((skill) => {
    const { triggers } = skill.fields;
    return triggers === undefined ? [] : [{ skill, triggers }];
  });
  const patterns = await matchPatterns(message, asked);
  const folded = asked.length === 0 ? "" : foldText(message);
  const end = performance.now() + wordTime;
  const found = asked.flatMap(({ skill, triggers }): Found[] => {
    if (performance.now() > end) return [];
    const keywords = wordsIn(folded, triggers.keywords);
    // A word that is both counts once.
    const counted = new Set(keywords.map(foldText));
    const verbs = wordsIn(folded, triggers.verbs).filter((verb) => !counted.has(foldText(verb)));
    const matched = patterns.get(skill) ?? [];
    const strength = keywords.length + verbs.length + matched.length;
    return strength === 0 ? [] : [{ skill, strength, keywords, verbs, patterns: matched }];
  });
  const strongest = found.toSorted((a, b) => b.strength - a.strength).slice(0, Math.max(0, most));
  return strongest.map((each) => firstMatch(each, message));
}

interface Found {
  readonly skill: Skill;
  readonly strength: number;
  readonly keywords: readonly string[];
  readonly verbs: readonly string[];
  readonly patterns: readonly Pattern[];
}

interface Asked {
  readonly skill: Skill;
  readonly triggers: Triggers;
}

/** The patterns of each skill that match, in the time that there is. */
async function matchPatterns(text: string, skills: readonly Asked[]): Promise<ReadonlyMap<Skill, readonly Pattern[]>> {
  const found = new Map<Skill, readonly Pattern[]>();
  const asked = skills.filter(({ triggers }) => triggers.patterns.length > 0);
  if (asked.length === 0 || text === "") return found;
  const compile = await loadCompiler();
  const end = performance.now() + patternTime;
  for (const { skill, triggers } of asked) {
    if (performance.now() > end) break;
    const matched = compile(triggers).filter((pattern) => performance.now() < end && pattern.test(text));
    if (matched.length > 0) found.set(skill, matched);
  }
  return found;
}

function firstMatch({ skill, keywords, verbs, patterns }: Found, text: string): TriggerMatch {
  const [keyword] = keywords;
  if (keyword !== undefined) return { skill, by: "keyword", match: keyword };
  const [verb] = verbs;
  if (verb !== undefined) return { skill, by: "verb", match: verb };
  return { skill, by: "pattern", match: patterns[0]?.find(text) ?? "" };
}
