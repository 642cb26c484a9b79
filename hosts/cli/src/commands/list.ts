import type { Catalog, Diagnostic, Elsewhere, HiddenSkill, Skill } from "@skillholm/core";
import type { Context } from "../context.ts";
import { clip, plain, plural, tildify } from "../terminal.ts";

/** Every skill, and every folder that is not listed with the reason. */
export async function runList(context: Context): Promise<number> {
  const { catalog } = await context.skills();
  const elsewhere = await context.engine.elsewhere();
  if (context.json) context.terminal.printJson(listJson(catalog, elsewhere));
  else printList(context, catalog, elsewhere);
  return 0;
}

function listJson(catalog: Catalog, elsewhere: readonly Elsewhere[]) {
  return {
    skills: catalog.skills.map(skillJson),
    hidden: catalog.hidden.map(hiddenJson),
    diagnostics: catalog.diagnostics,
    truncated: catalog.truncated,
    elsewhere,
  };
}

function skillJson({ name, description, scope, path, dir }: Skill) {
  return { name, description, scope, path, dir, enabled: true };
}

function hiddenJson({ name, scope, path, dir, state, reason, winner }: HiddenSkill) {
  return { name, scope, path, dir, state, reason, ...(winner === undefined ? {} : { winner }) };
}

function printList(context: Context, catalog: Catalog, elsewhere: readonly Elsewhere[]): void {
  const { terminal } = context;
  printSkills(context, catalog.skills);
  printHidden(context, catalog.hidden);
  printWarnings(context, catalog.diagnostics);
  if (catalog.truncated) terminal.note("A limit left something out; the warnings above say which.");
  for (const { count, path, agent } of elsewhere) {
    terminal.note(`${count} more in ${tildify(path, context.engine.home)}: skillholm compat on ${agent}`);
  }
}

/** Name, scope and description of each skill, a line each. */
export function printSkills({ terminal }: Context, skills: readonly Skill[]): void {
  if (skills.length === 0) {
    terminal.note("No skills yet. Put a folder with a SKILL.md into .agents/skills or ~/.agents/skills.");
    return;
  }
  const nameWidth = Math.min(32, Math.max(...skills.map((skill) => plain(skill.name).length)));
  const room = terminal.columns === undefined ? undefined : Math.max(20, terminal.columns - nameWidth - 12);
  for (const skill of skills) {
    const name = terminal.style("bold", plain(skill.name).padEnd(nameWidth));
    const scope = terminal.style("dim", skill.scope.padEnd(7));
    terminal.print(`${name}  ${scope}  ${clip(plain(skill.description), room)}`);
  }
}

function printHidden({ terminal, engine }: Context, hidden: readonly HiddenSkill[]): void {
  if (hidden.length === 0) return;
  terminal.print("");
  terminal.print(terminal.style("bold", `Not listed: ${plural(hidden.length, "skill")}`));
  const waiting = hidden.filter((each) => each.state === "untrusted");
  for (const each of hidden) {
    if (each.state === "untrusted" && waiting.length > 3) continue;
    const state = terminal.style(each.state === "invalid" ? "red" : "yellow", each.state.padEnd(10));
    terminal.print(`  ${state}  ${plain(each.name)}  ${terminal.style("dim", tildify(each.path, engine.home))}`);
    terminal.print(`              ${plain(each.reason)}`);
  }
  if (waiting.length > 3) terminal.print(`  ${plural(waiting.length, "skill")} of this project wait for your trust.`);
  if (waiting.length > 0) {
    terminal.print(`  Look at them first, then: skillholm trust ${waiting[0]?.root.project ?? engine.project}`);
  }
}

// The reason of every invalid skill stands above; here only what loaded with a fault.
function printWarnings({ terminal }: Context, diagnostics: readonly Diagnostic[]): void {
  const places = diagnostics.filter((each) => each.path.endsWith("SKILL.md") === false && each.severity !== "info");
  for (const each of places) terminal.note(`${each.severity}: ${each.path}: ${each.message}`);
  const warnings = diagnostics.length - places.length;
  if (warnings > 0)
    terminal.note(`\n${plural(warnings, "remark")} on single skills: skillholm show NAME, or list --json.`);
}
