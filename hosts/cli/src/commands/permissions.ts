import { SkillError } from "@skillholm/core";
import type { Engine } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { plain, plural } from "../terminal.ts";

export interface PermissionsOptions {
  readonly forget?: readonly string[];
  readonly log?: boolean;
}

/** The rules and remembered answers, and what was decided of late; takes an answer back. */
export async function runPermissions(context: Context, options: PermissionsOptions): Promise<number> {
  const { engine } = context;
  if (options.forget !== undefined) return forget(context, options.forget);
  const rules = engine.config().rules.map(({ key, value, from, path, line }) => {
    return { decision: key.slice(key.indexOf(".") + 1), ...value, from, ...(path !== undefined && { path, line }) };
  });
  const answers = engine.answers.list();
  const decisions = engine.decisions.recent(recently);
  if (context.json) await context.terminal.printJson({ rules, answers, decisions });
  else printAll(context, rules, answers, options.log === true ? decisions : []);
  return 0;
}

const recently = 50;

type Rules = readonly {
  readonly decision: string;
  readonly tool: string;
  readonly skill_name?: string;
  readonly from: string;
}[];

function printAll(
  { terminal }: Context,
  rules: Rules,
  answers: ReturnType<Engine["answers"]["list"]>,
  decisions: ReturnType<Engine["decisions"]["recent"]>,
): void {
  for (const { decision, tool, skill_name: name = "every skill", from } of rules) {
    terminal.print(`${decision.padEnd(5)}  ${plain(tool)}  ${plain(name)}  ${terminal.style("dim", from)}`);
  }
  for (const { decision, tool, skill_name: name = "every skill" } of answers) {
    terminal.print(`${decision.padEnd(5)}  ${plain(tool)}  ${plain(name)}  ${terminal.style("dim", "remembered")}`);
  }
  if (rules.length + answers.length === 0) {
    terminal.note("No rules and no remembered answers: skills are searched, activated and read without asking.");
  }
  for (const { at, tool, skill = "", decision, by } of decisions) {
    terminal.print(`${terminal.style("dim", at)}  ${decision.padEnd(7)}  ${plain(tool)}  ${plain(skill)}  (${by})`);
  }
}

/** `skill_load` or `skill_load pdf`: the answers about it, yes or no. */
async function forget({ engine, terminal, json }: Context, [tool = "", name]: readonly string[]): Promise<number> {
  const about = engine.answers.list().filter((each) => each.tool === tool && each.skill_name === name);
  for (const answer of about) await engine.answers.remove(answer);
  if (about.length === 0) {
    const what = name === undefined ? tool : `${tool} of ${name}`;
    throw new SkillError("resource-not-found", `No answer about ${what} is remembered. See: skillholm permissions`);
  }
  if (json) await terminal.printJson({ forgotten: about });
  else terminal.print(`Forgot ${plural(about.length, "answer")}.`);
  return 0;
}
