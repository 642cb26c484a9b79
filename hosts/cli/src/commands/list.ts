import type { Catalog, Diagnostic, Elsewhere, HiddenSkill, Skill } from "@skillholm/core";
import { listSkills, trustCommand } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { clip, harmless, plain, plural, tildify } from "../terminal.ts";

/** Every skill, and every folder that is not listed with the reason. */
export async function runList(context: Context): Promise<number> {
  const { catalog } = await context.skills();
  const listing = await listSkills(context.engine);
  if (context.json) await context.terminal.printJson(listing);
  else printList(context, catalog, listing.diagnostics, listing.elsewhere);
  return 0;
}

function printList(
  context: Context,
  catalog: Catalog,
  diagnostics: readonly Diagnostic[],
  elsewhere: readonly Elsewhere[],
): void {
  const { terminal } = context;
  printSkills(context, catalog.skills);
  printHidden(context, catalog.hidden);
  printWarnings(context, catalog, diagnostics);
  if (elsewhere.length > 0) terminal.print("");
  for (const { count, path, agent } of elsewhere) {
    terminal.print(`${count} more in ${tildify(path, context.engine.home)}: skillholm compat on ${agent}`);
  }
}

/** Name, scope and description of each skill, a line each. */
export function printSkills({ terminal, ownRoots, engine }: Context, skills: readonly Skill[]): void {
  if (skills.length === 0 && engine.config().get("skills.enabled") === false) {
    terminal.note("Skills are switched off: skillholm config says where.");
    return;
  }
  if (skills.length === 0) {
    const advice = ownRoots ? "" : " Put a folder with a SKILL.md into .agents/skills or ~/.agents/skills.";
    terminal.note(`No skills here.${advice}`);
    return;
  }
  const longest = skills.reduce((width, skill) => Math.max(width, plain(skill.name).length), 0);
  const nameWidth = Math.min(32, longest);
  const room = terminal.columns === undefined ? undefined : Math.max(20, terminal.columns - nameWidth - 12);
  for (const skill of skills) {
    const name = terminal.style("bold", plain(skill.name).padEnd(nameWidth));
    const scope = terminal.style("dim", skill.scope.padEnd(7));
    const origin = skill.root.origin === undefined ? "" : terminal.style("dim", `  from ${plain(skill.root.origin)}`);
    terminal.print(`${name}  ${scope}  ${clip(plain(skill.description), room)}${origin}`);
  }
}

function printHidden(context: Context, hidden: readonly HiddenSkill[]): void {
  const { terminal, engine } = context;
  if (hidden.length === 0) return;
  terminal.print("");
  terminal.print(terminal.style("bold", `Not listed: ${plural(hidden.length, "skill")}`));
  for (const { name, path, state, reason } of hidden) {
    const label = terminal.style(state === "invalid" ? "red" : "yellow", state.padEnd(10));
    terminal.print(`  ${label}  ${plain(name)}  ${terminal.style("dim", tildify(path, engine.home))}`);
    if (state !== "untrusted") terminal.print(`              ${plain(reason)}`);
  }
  const commands = new Set(hidden.flatMap(({ state, root }) => (state === "untrusted" ? trustCommand(root) : [])));
  if (commands.size > 0) terminal.print("  Untrusted ones load once you trust their folder. Look at them first, then:");
  for (const command of commands) terminal.print(`    ${harmless(command)}`);
}

// What is invalid has its reason above; here, what could not be looked at, and what loaded with a fault.
function printWarnings({ terminal }: Context, catalog: Catalog, diagnostics: readonly Diagnostic[]): void {
  const listed = new Set(catalog.skills.map((skill) => skill.path));
  const hidden = new Set(catalog.hidden.map((each) => each.path));
  let remarks = 0;
  for (const each of diagnostics) {
    if (listed.has(each.path)) remarks++;
    else if (!hidden.has(each.path)) terminal.note(harmless(`${each.severity}: ${each.path}: ${each.message}`));
  }
  if (remarks > 0)
    terminal.note(`${plural(remarks, "remark")} on the listed skills: skillholm show NAME, or list --json`);
}
