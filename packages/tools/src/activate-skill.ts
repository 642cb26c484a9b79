import { type Activation, countTokens, operations, type Scope, type Session } from "@skillholm/core";
import { defuseMarkup, escapeMarkup, escapeWords } from "@skillholm/core/dialect";
import { z } from "zod";
import { createTool, type SkillTool } from "./tool.ts";

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
});

export function createActivateTool(session: Session): SkillTool {
  const activate = async (reference: string, given?: string) =>
    describeActivation(await session.activate(reference, given));
  return createTool({
    name: activateToolName,
    title: "Activate a skill",
    description: "Loads a skill's instructions. Call it before doing a task that a skill is for, then follow them.",
    inputSchema,
    run: (input) => activate(input.name, input.arguments),
    render: ({ content }: { readonly content: string }) => content,
    memory: {
      pack: (structured) => pack(structured as ActivationOutput | StaleActivation),
      unpack: (packed, input) => unpack(packed as PackedActivation, inputSchema.safeParse(input).data, activate),
    },
  });
}

/** What an activation gives, as the JSON that every door gives. */
export function describeActivation(activation: Activation): ActivationOutput {
  const { skill, hash, files, filesTruncated, removed } = activation;
  const { name, scope, path, dir } = skill;
  const content = renderActivation(activation);
  const tokens = countTokens(content);
  return { name, scope, path, dir, hash, content, files, filesTruncated, truncated: removed > 0, tokens };
}

const elements = ["skill_content", "skill_resources", "skill_resource"];

function renderActivation({ skill, instructions, removed, files, filesTruncated }: Activation): string {
  const lines = [`<skill_content name="${escapeMarkup(skill.name)}">`, defuseMarkup(instructions, elements)];
  if (removed > 0) lines.push("", `[The instructions are too long: ${removed} bytes were cut here.]`);
  lines.push("", `Skill directory: ${escapeMarkup(skill.dir)}`);
  if (files.length > 0) {
    lines.push("<skill_resources>", ...files.map((path) => `<file>${escapeMarkup(path)}</file>`));
    if (filesTruncated) lines.push("There are more files than are listed here.");
    lines.push("</skill_resources>");
  }
  return [...lines, "</skill_content>"].join("\n");
}

function pack({ name, scope, path, hash, tokens }: ActivationOutput | StaleActivation): PackedActivation {
  return { skill: name, scope, path, hash, tokens };
}

async function unpack(
  packed: PackedActivation,
  input: z.infer<typeof inputSchema> | undefined,
  activate: (reference: string, given?: string) => Promise<ActivationOutput>,
): Promise<ActivationOutput | StaleActivation> {
  const now = await activate(packed.path, input?.arguments).catch(() => undefined);
  if (now?.hash === packed.hash) return now;
  const { skill: name, ...rest } = packed;
  const stale = now === undefined ? "unavailable" : "changed";
  const advice = now === undefined ? "It can no longer be used." : "It has changed since: activate it again.";
  return { ...rest, name, stale, content: `The skill "${escapeWords(name)}" was activated here. ${advice}` };
}
