import {
  type Mention,
  operations,
  type Session,
  type SessionActivateOptions,
  type Skill,
  SkillError,
} from "@skillholm/core";
import { defuseMarkup, escapeMarkup, escapeWords, isForModels } from "@skillholm/core/dialect";
import { toolOf } from "@skillholm/profiles/policies";
import type { Setup } from "./setup.ts";

/** What a person's message means for the skills. */
export interface Turn {
  /** The message as the model reads it: without the call at its start. */
  readonly message: string;
  /** The skills that the person calls by name. */
  readonly mentions: readonly CalledSkill[];
  /** The skills whose triggers it matches. */
  readonly triggered: readonly (CalledSkill & { readonly by: string; readonly match: string })[];
  /** What the model is told of both; holds for this turn only. */
  readonly notes: string;
}

interface CalledSkill {
  readonly name: string;
  /** Null where several have the name. */
  readonly path: string | null;
}

interface TurnInput {
  readonly setup: Setup;
  readonly session: Session;
  readonly text: string;
  /** Whether the model can call tools. */
  readonly tools: boolean;
}

/** Finds the skills that a message calls, and writes what the model should know of it. */
export async function readTurn(input: TurnInput): Promise<Turn> {
  const { setup, session, text } = input;
  const { mentions: all, text: message } = session.mentions(text);
  const called = new Map(all.map((mention) => [mention.skill?.path ?? mention.name, mention]));
  const mentions = [...called.values()];
  const triggered = await session.triggered(message);
  const injects = session.policy.triggers === "inject";
  const tool = toolOf(setup.profile.name, operations.activate);
  const notes: string[] = [];
  for (const mention of mentions) notes.push(await noteMention(input, mention, message, tool));
  if (injects) for (const { skill } of triggered) notes.push(await inject(input, skill));
  else if (triggered.length > 0)
    notes.push(
      suggest(
        triggered.map(({ skill }) => skill),
        tool,
      ),
    );
  return {
    message,
    mentions: mentions.map(({ skill, name }) => ({ name: skill?.name ?? name, path: skill?.path ?? null })),
    triggered: triggered.map(({ skill: { name, path }, by, match }) => ({ name, path, by, match })),
    notes: notes.filter((note) => note !== "").join("\n\n"),
  };
}

async function noteMention(input: TurnInput, mention: Mention, message: string, tool: string): Promise<string> {
  const { session, tools } = input;
  const { skill, name, candidates, kind } = mention;
  if (skill === undefined) {
    const paths = candidates.map(({ path }) => escapeWords(path)).join(", ");
    return `The user names the skill "${escapeWords(name)}", and there are several: ${paths}. Ask which one is meant.`;
  }
  // What a model may not load by itself, the person hands to it.
  if (!tools || !isForModels(skill)) {
    // What follows a call at the start is for the skill, where the system knows arguments.
    const given = kind === "slash" && session.policy.emptyArguments === "blank" ? message : undefined;
    return inject(input, skill, { given, by: "person" });
  }
  return `The user calls for the skill "${escapeWords(skill.name)}". Call ${tool} for it before you respond.`;
}

/** A skill's instructions as a part of the prompt; where a person called it and may not, the reason. */
async function inject(
  { session, setup: { profile } }: TurnInput,
  skill: Skill,
  options: SessionActivateOptions = {},
): Promise<string> {
  try {
    const { instructions, removed } = await session.activate(skill.path, options);
    const name = escapeMarkup(skill.name);
    const text = defuseMarkup(instructions) + (profile.cutNotice?.(removed) ?? "");
    return `<active_skill name="${name}">\n${text}\n</active_skill>`;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const why = `The user calls for the skill "${escapeWords(skill.name)}", which may not be used: say so.`;
    return options.by === "person" ? why : "";
  }
}

function suggest(skills: readonly Skill[], tool: string): string {
  const names = skills.map(({ name }) => `"${escapeWords(name)}"`).join(", ");
  return `These skills may fit what the user says: ${names}. Call ${tool} for one that does.`;
}
