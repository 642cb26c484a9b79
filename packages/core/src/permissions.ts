import { SkillError } from "./error.ts";
import { nameKey } from "./name.ts";
import type { Skill } from "./skill.ts";

/** What somebody decided about a tool, for one skill or for all. */
export interface PermissionRule {
  readonly decision: "deny" | "allow" | "ask";
  readonly tool: string;
  /** The skill's name; every skill where absent. */
  readonly skill?: string;
  /** Where the rule stands, for who wonders. */
  readonly place?: string;
}

/** What a tool is about to do. */
export interface PermissionRequest {
  readonly tool: string;
  /** The skill that was found; a search is about none. */
  readonly skill?: Skill;
}

export interface Permissions {
  readonly rules: readonly PermissionRule[];
  /** Asks a person. Without it nobody can be asked, and what needs asking is refused. */
  readonly ask?: (request: PermissionRequest) => Promise<boolean>;
}

/**
 * Lets a request pass, or throws: deny before allow before ask, judged on the skill that was found, whatever it was called
 * by. What no rule names is allowed.
 */
export async function checkPermission(permissions: Permissions, request: PermissionRequest): Promise<void> {
  const { rules, ask } = permissions;
  const own = rules.filter((rule) => isAbout(rule, request));
  const pick = (decision: PermissionRule["decision"]) => own.find((rule) => rule.decision === decision);
  const denied = pick("deny");
  if (denied !== undefined) throw refuse(request, `is denied by a rule${place(denied)}`);
  if (pick("allow") !== undefined) return;
  const asking = pick("ask");
  if (asking === undefined) return;
  if (ask === undefined) throw refuse(request, `needs a person's yes${place(asking)}, and nobody can be asked here`);
  if (!(await ask(request))) throw refuse(request, "was not allowed");
}

function isAbout({ tool, skill }: PermissionRule, request: PermissionRequest): boolean {
  if (tool !== request.tool) return false;
  return skill === undefined || (request.skill !== undefined && nameKey(skill) === nameKey(request.skill.name));
}

function place(rule: PermissionRule): string {
  return rule.place === undefined ? "" : ` (${rule.place})`;
}

function refuse({ tool, skill }: PermissionRequest, why: string): SkillError {
  const what = skill === undefined ? tool : `${tool} of "${skill.name}"`;
  return new SkillError("permission-denied", `${what} ${why}.`, { tool, ...(skill && { name: skill.name }) });
}
