import {
  type BinaryPolicy,
  createSession,
  type PermissionRule,
  type Permissions,
  parseLines,
  type Session,
  SkillError,
  type Skills,
} from "@skillholm/core";
import { standard } from "@skillholm/profiles";
import { type ActivationOutput, describeActivation, type ResourceOutput, type ToolResult } from "@skillholm/tools";
import type { OpenedConfig } from "./open-config.ts";

/** What decides over a person's requests and a model's. */
interface Rules {
  readonly binary: BinaryPolicy;
  /** What instructions may cost, in tokens. */
  readonly bodyTokens: number;
  readonly rules: readonly PermissionRule[];
}

// Who types the command says yes by it; a rule that denies stands.
const yes = async () => true;

function personSession(skills: Skills, { rules, ...limits }: Rules): Session {
  return createSession(skills, { ...limits, audience: "people", permissions: { rules, ask: yes } });
}

/** What a person gets of a skill: also of one that its author keeps for people. */
export async function loadSkill(
  skills: Skills,
  rules: Rules,
  reference: string,
  given?: string,
): Promise<ActivationOutput> {
  return describeActivation(await personSession(skills, rules).activate(reference, { given }));
}

/** `lines` as `10-40`. */
export async function readSkillFile(
  skills: Skills,
  rules: Rules,
  reference: string,
  path: string,
  lines?: string,
): Promise<ResourceOutput> {
  const range = lines === undefined ? undefined : parseLines(lines);
  const { skill, ...resource } = await personSession(skills, rules).read(reference, path, range);
  return { name: skill.name, ...resource };
}

/** A call of a tool by a model; `confirm` answers what a rule would ask a person. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly confirm: boolean;
}

export async function callTool(skills: Skills, rules: Rules, call: ToolCall): Promise<ToolResult> {
  const tools = standard.createTools(openSession(skills, rules, call.confirm ? yes : undefined));
  const tool = tools.find((each) => each.name === call.name);
  if (tool !== undefined) return tool.call(call.input);
  const known = tools.map((each) => each.name).join(", ");
  throw new SkillError("invalid-input", `There is no tool "${call.name}". Known: ${known}.`);
}

/** A model's side of the skills, with what was decided about it; without `ask`, what needs asking is refused. */
export function openSession(skills: Skills, { rules, ...limits }: Rules, ask?: Permissions["ask"]): Session {
  return createSession(skills, { ...limits, permissions: { rules, ...(ask && { ask }) } });
}

/** What a configuration decides. */
export function rulesOf(settings: OpenedConfig): Rules {
  return {
    binary: settings.get("skills.binary") as BinaryPolicy,
    bodyTokens: Number(settings.get("skills.body_tokens_max")) || Number.POSITIVE_INFINITY,
    rules: settings.rules.map(({ key, value, path, line }) => ({
      decision: key.slice(key.indexOf(".") + 1) as PermissionRule["decision"],
      tool: value.tool,
      ...(value.skill_name !== undefined && { skill: value.skill_name }),
      ...(path !== undefined && { place: `${path}:${line}` }),
    })),
  };
}
