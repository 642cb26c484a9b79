import { codeRanges, type TextRange } from "./code-ranges.ts";
import { KnownSkills, readCall } from "./mention-call.ts";
import type { MentionStyle } from "./policy.ts";
import type { Skill } from "./skill.ts";
import { isWordSign, signBefore } from "./word-edges.ts";

/** A skill that a person called in a message. */
export interface Mention extends TextRange {
  /** Undefined where several skills have the name: nobody guesses. */
  readonly skill: Skill | undefined;
  /** Those that have the name, where it is not one alone. */
  readonly candidates: readonly Skill[];
  /** The name or the path, as it was written. */
  readonly name: string;
  readonly kind: "slash" | "dollar";
}

/** What a message calls, with places in the message as it was given. */
export interface Mentions {
  readonly mentions: readonly Mention[];
  /** The message for the model: without `/name`, and without the backslash of a name that was to stay text. */
  readonly text: string;
}

/** Finds the skills that a person calls in a message. Only names that exist are calls; all else is text, untouched. */
export function findMentions(text: string, skills: readonly Skill[], style: MentionStyle): Mentions {
  const slash = style.slash && /^\\?\//.test(text);
  const dollar = style.dollar && text.includes("$");
  // Most messages call nothing, and ten thousand names need not be put in order for them.
  if (!slash && !dollar) return { mentions: [], text };
  const known = new KnownSkills(skills.filter((skill) => skill.fields.userInvocable !== false));
  const start = slash ? findSlash(text, known) : undefined;
  const dollars = dollar ? findDollars(text, known, start?.mention.end ?? 0) : [];
  const found = start === undefined ? dollars : [start, ...dollars];
  const mentions = found.flatMap(({ mention, isEscaped }) => (isEscaped ? [] : [mention]));
  return { mentions, text: withoutCalls(text, found) };
}

interface Found {
  readonly mention: Mention;
  /** Whether a backslash before it says that it is text. */
  readonly isEscaped: boolean;
}

function withoutCalls(text: string, found: readonly Found[]): string {
  let [rest, at] = ["", 0];
  for (const { mention, isEscaped } of found) {
    if (isEscaped) {
      rest += text.slice(at, mention.start - 1);
      at = mention.start;
    } else if (mention.kind === "slash") at = mention.end + (/^\s*/.exec(text.slice(mention.end))?.[0].length ?? 0);
  }
  return rest + text.slice(at);
}

/** `/name` as the first word of a message. */
function findSlash(text: string, known: KnownSkills): Found | undefined {
  const [, backslash = "", name = ""] = /^(\\?)\/(\S+)/.exec(text) ?? [];
  const skills = known.byName(name);
  if (skills.length === 0) return undefined;
  const start = backslash.length;
  return { mention: mentionOf(skills, name, "slash", start, start + 1 + name.length), isEscaped: start > 0 };
}

/** `$name` outside code, and not within a word. */
function findDollars(text: string, known: KnownSkills, from: number): readonly Found[] {
  const code = codeRanges(text);
  const found: Found[] = [];
  let range = 0;
  let done = from;
  for (let at = text.indexOf("$", from); at >= 0; at = text.indexOf("$", at + 1)) {
    while ((code[range]?.end ?? text.length) <= at) range++;
    if (at < done || at >= (code[range]?.start ?? text.length)) continue;
    const before = signBefore(text, at);
    if (before === "$" || isWordSign(before)) continue;
    const call = readCall(text, at, known);
    if (call === undefined) continue;
    done = call.end;
    if (call.skills.length === 0) continue;
    const mention = mentionOf(call.skills, call.name, "dollar", call.start, call.end);
    found.push({ mention, isEscaped: before === "\\" });
  }
  return found;
}

function mentionOf(skills: readonly Skill[], name: string, kind: Mention["kind"], start: number, end: number): Mention {
  const [skill, ...more] = skills;
  if (more.length > 0) return { skill: undefined, candidates: skills, name, kind, start, end };
  return { skill, candidates: [], name, kind, start, end };
}
