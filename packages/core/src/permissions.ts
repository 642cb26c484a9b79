import { SkillError } from "./error.ts";
import type { LedgerDecision } from "./ledger.ts";
import { nameKey } from "./name.ts";
import type { SandboxName } from "./runner.ts";
import type { Skill } from "./skill.ts";

/** What somebody decided about a tool, for one skill or for all. */
export interface PermissionRule {
  readonly decision: "deny" | "allow" | "ask";
  readonly tool: string;
  /** The skill's name; every skill where absent. */
  readonly skill?: string;
  /** A yes to scripts: only while every file of the skill is as it was. */
  readonly digest?: string;
  /** A yes to scripts: the doors of the sandbox that it opened. */
  readonly grants?: readonly string[];
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
  /** What is to be run. */
  readonly script?: ScriptApproval;
}

/** All that a person should see before a script runs. */
export interface ScriptApproval {
  readonly script: string;
  /** sha256 of the script itself, and over every file of its skill. */
  readonly hash: string;
  readonly digest: string;
  readonly args: readonly string[];
  readonly interpreter: string;
  readonly sandbox: SandboxName;
  readonly grants: readonly string[];
  readonly inputs: readonly string[];
  /** What it may touch, in words. */
  readonly touches: readonly string[];
}

/** For who must know whether a person would be asked: that depends on the files, not on the call. */
export function blankApproval(digest: string): ScriptApproval {
  const nothing = { script: "", hash: "", args: [], interpreter: "", grants: [], inputs: [], touches: [] };
  return { ...nothing, sandbox: "none", digest };
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
 * allowed, unless its tool is one of those to `confirm`. Doors of the sandbox are opened by who names them only.
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
  const opens = request.script !== undefined && request.script.grants.length > 0;
  return { verdict: opens || confirm.includes(request.tool) ? "ask" : "allowed" };
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
export function describeDecision(request: PermissionRequest, judged: Judgement, asked?: Asked): LedgerDecision {
  const { tool, skill, script } = request;
  const place = judged.rule?.place;
  const ruled = judged.rule === undefined ? "default" : judged.rule.remembered ? "answer" : "rule";
  return {
    tool,
    ...(skill && { skill: skill.name, path: skill.path }),
    ...(script && { script: script.script, digest: script.digest }),
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

function isAbout({ tool, skill, decision, digest, grants }: PermissionRule, request: PermissionRequest): boolean {
  if (tool !== request.tool) return false;
  const isMeant =
    skill === undefined || (request.skill !== undefined && nameKey(skill) === nameKey(request.skill.name));
  return isMeant && (decision !== "allow" || coversScript({ digest, grants }, request.script));
}

/** Whether a yes of the past is one to what is to be run now: the same files, and no door that was not named. */
export function coversScript(
  yes: { readonly digest?: string | undefined; readonly grants?: readonly string[] | undefined },
  script: ScriptApproval | undefined,
): boolean {
  if (yes.digest !== undefined && yes.digest !== script?.digest) return false;
  return (script?.grants ?? []).every((grant) => yes.grants?.includes(grant));
}
