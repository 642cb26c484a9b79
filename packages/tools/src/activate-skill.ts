import { defuseMarkup, escapeMarkup, escapeWords } from "@skillholm/core/dialect";
import {
  type Activation,
  countTokens,
  operations,
  type Scope,
  type Session,
  type SessionActivation,
} from "@skillholm/core/portable";
import * as z from "zod";
import type { SkillTool } from "./skill-tool.ts";
import { createTool, refuseWithSearch } from "./tool.ts";

export const activateToolName = operations.activate;

/** The JSON of `skillholm load`. */
export interface ActivationOutput {
  readonly name: string;
  readonly scope: Scope;
  readonly path: string;
  readonly dir: string;
  readonly hash: string;
  /** What the model reads. */
  readonly content: string;
  readonly files: readonly string[];
  readonly filesTruncated: boolean;
  readonly truncated: boolean;
  readonly tokens: number;
  /** The instructions are in the conversation already, under this reference; `content` only says so. */
  readonly reminder?: string;
}

/** What a stored conversation keeps of an activation: never the text. */
interface PackedActivation {
  readonly skill: string;
  readonly scope: Scope;
  readonly path: string;
  readonly hash: string;
  readonly tokens: number;
}

/** An activation of the past whose text is no longer the same, or no longer to be had. */
export interface StaleActivation extends Omit<PackedActivation, "skill"> {
  readonly name: string;
  readonly stale: "changed" | "unavailable";
  readonly content: string;
}

const inputSchema = z.object({
  name: z.string().min(1).max(4096).describe("The skill's name"),
  arguments: z.string().max(100_000).optional().describe("What the skill should work on"),
  section: z.string().max(1000).optional().describe("Only this section of long instructions, by its title"),
  from: z.string().max(4096).optional().describe("The active skill whose instructions say to load this one"),
});

type Input = z.infer<typeof inputSchema>;

/** `enum`: the names stand in the schema, which then changes with the skills and costs as much as they are long. */
export interface ActivateToolOptions {
  readonly names?: "text" | "enum";
}

export function createActivateTool(session: Session, { names = "text" }: ActivateToolOptions = {}): SkillTool {
  const known = names === "enum" ? session.visible().map(({ name }) => name) : [];
  const activate = async (reference: string, { arguments: given, section, from }: Partial<Input> = {}) => {
    const activation = await session.activate(reference, { given, section, from });
    const output = describeActivation(activation);
    if (output.reminder === undefined) await session.keep(activation, output.content);
    return output;
  };
  return createTool({
    name: activateToolName,
    title: "Activate a skill",
    description: "Loads a skill's instructions. Call it before doing a task that a skill is for, then follow them.",
    inputSchema:
      known.length === 0 ? inputSchema : inputSchema.extend({ name: z.enum(known).describe("The skill's name") }),
    run: (input) => activate(input.name, input),
    render: ({ content }: { readonly content: string }) => content,
    refuse: refuseWithSearch,
    memory: {
      pack: (structured) => pack(structured as ActivationOutput | StaleActivation),
      unpack: (packed, input) => unpack(packed as PackedActivation, inputSchema.safeParse(input).data, activate),
    },
  });
}

/** What an activation gives, as the JSON that every door gives. */
export function describeActivation(activation: SessionActivation): ActivationOutput {
  const { skill, hash, files, filesTruncated, removed, repeat, reference } = activation;
  const { name, scope, path, dir } = skill;
  const content = repeat ? renderReminder(activation) : renderActivation(activation);
  const facts = { name, scope, path, dir, hash, content, files, filesTruncated, truncated: removed > 0 };
  return { ...facts, tokens: countTokens(content), ...(repeat && { reminder: reference }) };
}

function renderReminder({ skill, reference }: SessionActivation): string {
  const name = escapeMarkup(skill.name);
  return `<skill_reminder name="${name}" reference="${reference}">The instructions of this skill are in this conversation already and have not changed. Follow them.</skill_reminder>`;
}

function renderActivation(activation: Activation): string {
  const { skill, instructions, removed, outline, files, filesTruncated } = activation;
  const lines = [`<skill_content name="${escapeMarkup(skill.name)}">`, defuseMarkup(instructions)];
  if (removed > 0) lines.push("", `[The instructions are too long: ${removed} bytes were cut here.]`);
  if (outline.length > 0) lines.push("", ...renderOutline(outline));
  lines.push("", `Skill directory: ${escapeMarkup(skill.dir)}`);
  if (files.length > 0) {
    lines.push("<skill_resources>", ...files.map((path) => `<file>${escapeMarkup(path)}</file>`));
    if (filesTruncated) lines.push("There are more files than are listed here.");
    lines.push("</skill_resources>");
  }
  return [...lines, "</skill_content>"].join("\n");
}

/** What can be asked for again, a part at a time, when the whole is too much. */
function renderOutline(outline: Activation["outline"]): readonly string[] {
  const entries = outline.slice(0, mostSections).map(({ title, level, tokens }) => {
    return `${"  ".repeat(level - 1)}- ${escapeWords(title)} (${tokens} tokens)`;
  });
  return [
    `These instructions are long. To see one section again, call ${activateToolName} with its title:`,
    ...entries,
  ];
}

const mostSections = 40;

function pack(output: ActivationOutput | StaleActivation): PackedActivation | ActivationOutput {
  if ("reminder" in output) return output;
  const { name, scope, path, hash, tokens } = output;
  return { skill: name, scope, path, hash, tokens };
}

async function unpack(
  packed: PackedActivation | ActivationOutput,
  input: Input | undefined,
  activate: (reference: string, input?: Partial<Input>) => Promise<ActivationOutput>,
): Promise<ActivationOutput | StaleActivation> {
  if ("content" in packed) return packed;
  // Where it stood it was right, whoever led to it.
  const now = await activate(packed.path, { ...input, from: undefined }).catch(() => undefined);
  if (now?.hash === packed.hash) return now;
  const { skill: name, ...rest } = packed;
  const stale = now === undefined ? "unavailable" : "changed";
  const advice = now === undefined ? "It can no longer be used." : "It has changed since: activate it again.";
  return { ...rest, name, stale, content: `The skill "${escapeWords(name)}" was activated here. ${advice}` };
}
