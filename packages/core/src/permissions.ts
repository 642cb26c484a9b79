import { SkillError } from "./error.ts";
import type { LedgerDecision } from "./ledger.ts";
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
  /** A person's answer that was remembered, not a line that somebody wrote. */
  readonly remembered?: boolean;
}

/** What a tool is about to do. */
export interface PermissionRequest {
  readonly tool: string;
  /** The skill that was found; a search is about none. */
  readonly skill?: Skill;
}

/** A person's answer: no, or yes for this time, for the conversation, or from now on. */
export type PermissionAnswer = boolean | "once" | "session" | "always";

export interface Permissions {
  readonly rules: readonly PermissionRule[];
  /** Asks a person. Without it nobody can be asked, and what needs asking is refused. */
  readonly ask?: (request: PermissionRequest) => Promise<PermissionAnswer>;
  /** Keeps an answer that holds from now on. */
  readonly remember?: (request: PermissionRequest) => Promise<void>;
  /** What the tools are called where a person or a model hears of them. */
  readonly nameOf?: (tool: string) => string;
  /** Hears of every decision. */
  readonly log?: (decision: LedgerDecision) => void;
}

/** What the rules say: a verdict, or that a person must be asked. */
export interface Judgement {
  readonly verdict: "allowed" | "denied" | "ask";
  readonly rule?: PermissionRule;
}

/**
 * Deny before allow before ask, judged on the skill that was found, whatever it was called by. What no rule names is
 * allowed, unless its tool is one of those to `confirm`.
 */
export function judgeRequest(
  rules: readonly PermissionRule[],
  request: PermissionRequest,
  confirm: readonly string[] = [],
): Judgement {
  const own = rules.filter((rule) => isAbout(rule, request));
  for (const [decision, verdict] of verdicts) {
    const rule = own.find((each) => each.decision === decision);
    if (rule !== undefined) return { verdict, rule };
  }
  return { verdict: confirm.includes(request.tool) ? "ask" : "allowed" };
}

const verdicts = [
  ["deny", "denied"],
  ["allow", "allowed"],
  ["ask", "ask"],
] as const;

/** What becomes of a request that a person would have to be asked about. */
export interface Asked {
  readonly answer: PermissionAnswer;
  readonly by: "person" | "answer" | "nobody";
}

/** What was decided, for the log. */
export function describeDecision({ tool, skill }: PermissionRequest, judged: Judgement, asked?: Asked): LedgerDecision {
  const place = judged.rule?.place;
  const ruled = judged.rule === undefined ? "default" : judged.rule.remembered ? "answer" : "rule";
  return {
    tool,
    ...(skill && { skill: skill.name, path: skill.path }),
    decision: (asked === undefined ? judged.verdict === "allowed" : asked.answer !== false) ? "allowed" : "denied",
    by: asked?.by ?? ruled,
    ...(place !== undefined && { place }),
    at: new Date().toISOString(),
  };
}

/** Why a request is refused, as an error that a caller or a model can act on. */
export function refuseRequest(
  { tool, skill }: PermissionRequest,
  { verdict, rule }: Judgement,
  { asked, audience }: { readonly asked?: Asked | undefined; readonly audience: "models" | "people" },
): SkillError {
  // Where a rule stands is a person's business.
  const place = rule?.place === undefined || audience === "models" ? "" : ` (${rule.place})`;
  const what = skill === undefined ? tool : `${tool} of "${skill.name}"`;
  const nobody = `needs a person's yes${place}, and nobody can be asked here`;
  const why =
    verdict === "denied" ? `is denied by a rule${place}` : asked?.by === "nobody" ? nobody : "was not allowed";
  return new SkillError("permission-denied", `${what} ${why}.`, { tool, ...(skill && { name: skill.name }) });
}

function isAbout({ tool, skill }: PermissionRule, request: PermissionRequest): boolean {
  if (tool !== request.tool) return false;
  return skill === undefined || (request.skill !== undefined && nameKey(skill) === nameKey(request.skill.name));
}
