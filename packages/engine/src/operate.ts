import {
  activateSkill,
  type BinaryPolicy,
  createSession,
  parseLines,
  readResource,
  SkillError,
  type Skills,
} from "@skillholm/core";
import { standard } from "@skillholm/profiles";
import { type ActivationOutput, describeActivation, type ResourceOutput, type ToolResult } from "@skillholm/tools";

/** What a person gets of a skill: also of one that its author keeps for people. */
export async function loadSkill(skills: Skills, reference: string, given?: string): Promise<ActivationOutput> {
  return describeActivation(await activateSkill(skills, skills.find(reference), given));
}

export interface FileRequest {
  readonly path: string;
  /** As `10-40`. */
  readonly lines?: string | undefined;
  readonly binary: BinaryPolicy;
}

export async function readSkillFile(skills: Skills, reference: string, asked: FileRequest): Promise<ResourceOutput> {
  const skill = skills.find(reference);
  const lines = asked.lines === undefined ? undefined : parseLines(asked.lines);
  return { name: skill.name, ...(await readResource(skills, skill, asked.path, { lines, binary: asked.binary })) };
}

/** Calls one tool exactly as a model would. */
export async function callTool(
  skills: Skills,
  name: string,
  input: unknown,
  binary: BinaryPolicy,
): Promise<ToolResult> {
  const tools = standard.createTools(createSession(skills, { binary }));
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return tool.call(input);
  const known = tools.map((each) => each.name).join(", ");
  throw new SkillError("invalid-input", `There is no tool "${name}". Known: ${known}.`);
}
