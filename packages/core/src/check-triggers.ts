import type { Triggers } from "./fields.ts";

/** A pattern of a skill's triggers that is never run, and why. */
export interface PatternProblem {
  readonly pattern: string;
  readonly problem: string;
}

/** How many patterns of a skill are run, and how long one may be. */
export const patternsMaximum = 50;
export const patternLength = 1000;

/**
 * What is wrong with patterns, as far as their signs show it. Loading cannot wait for the engine, which takes longer to
 * load than a hundred skills do; what only the engine sees is never run all the same.
 */
export function checkTriggers({ patterns }: Triggers): readonly PatternProblem[] {
  const problems = patterns.slice(0, patternsMaximum).flatMap((pattern) => {
    const problem = problemOf(pattern);
    return problem === undefined ? [] : [{ pattern, problem }];
  });
  const over = patterns[patternsMaximum];
  if (over === undefined) return problems;
  return [
    ...problems,
    { pattern: over, problem: `only the first ${patternsMaximum} of ${patterns.length} patterns are used` },
  ];
}

function problemOf(pattern: string): string | undefined {
  if (pattern.length > patternLength)
    return `it has ${pattern.length} characters; at most ${patternLength} are allowed`;
  let depth = 0;
  let before: Before = "nothing";
  for (const { 0: token, index } of pattern.matchAll(tokens)) {
    const problem = refusalOf(token, before) ?? (token === ")" && depth === 0 ? '")" without "("' : undefined);
    if (problem !== undefined) return `${problem}, at character ${index + 1}`;
    if (token === ")") depth--;
    else if (token.startsWith("(") && !isFlag(token)) depth++;
    before = follow(token, before);
  }
  return depth > 0 ? '"(" without ")"' : undefined;
}

/** What stands before a `*`: something to repeat, something repeated that a `?` can make lazy, or neither. */
type Before = "item" | "repeated" | "nothing";

const repeat = /^[*+?]$/;

function follow(token: string, before: Before): Before {
  if (repeat.test(token)) return before === "item" ? "repeated" : "nothing";
  // A flag stands for nothing, and what comes after it repeats what came before.
  if (isFlag(token)) return before === "repeated" ? "item" : before;
  return token.startsWith("(") || token === "|" ? "nothing" : "item";
}

/** `(?i)` is no group. */
function isFlag(token: string): boolean {
  return token.startsWith("(") && token.endsWith(")");
}

function refusalOf(token: string, before: Before): string | undefined {
  const cannotRepeat = before === "nothing" || (before === "repeated" && token !== "?");
  if (repeat.test(token) && cannotRepeat) return `nothing to repeat before ${JSON.stringify(token)}`;
  return signs.find(([sign]) => sign.test(token))?.[1];
}

// Quoted text, an escape, a look around, the beginning of a group, a class of signs, or any other sign.
const tokens = new RegExp(
  [
    /\\Q(?:(?!\\E)[\s\S])*(?:\\E)?/,
    /\\(?:[1-9]\d?|[\s\S]|$)/,
    /\(\?<?[=!]/,
    /\((?:\?(?:P?<\w*>|[a-zA-Z-]*[:)]))?/,
    /\[\^?\]?(?:\[:\^?\w*:\]|\\[\s\S]|[^\]\\])*\]/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

const signs: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, "RE2, which runs it, cannot look ahead or behind"],
  [/^\\[1-9k]$/, "RE2, which runs it, cannot refer back to a group"],
  [/^\\$/, "a backslash before nothing"],
  [/^\[$/, '"[" without "]"'],
];
