import { type Diagnosis, diagnose, type SkillFinding } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { harmless, plain, plural, tildify, withProgress } from "../terminal.ts";

/** Why a skill is not there, and what to do. With a name, 1 when it cannot be used. */
export async function runDoctor(context: Context, name: string | undefined): Promise<number> {
  const found = await withProgress("Looking at every skill…", diagnose(context.engine, name));
  if (context.json) await context.terminal.printJson(found);
  else if (name === undefined) printAll(context, found);
  else printNamed(context, found);
  return name === undefined || found.usable ? 0 : 1;
}

function printNamed(context: Context, { skills }: Diagnosis): void {
  for (const finding of skills) printFinding(context, finding);
}

function printAll(context: Context, found: Diagnosis): void {
  const { terminal, engine } = context;
  const { roots, skills, environment } = found;
  terminal.print(terminal.style("bold", "Roots"));
  for (const { path, scope, exists, trusted, skills: count } of roots) {
    const state = exists ? `${plural(count, "skill")}${trusted ? "" : ", not trusted"}` : "not there";
    terminal.print(`  ${scope.padEnd(7)}  ${tildify(path, engine.home)}  ${terminal.style("dim", state)}`);
  }
  const listed = skills.filter(({ state }) => state === "listed").length;
  const attention = skills.filter(({ state, reason, hiddenText }) => state !== "listed" || reason !== "" || hiddenText);
  terminal.print(
    `\n${terminal.style("bold", "Skills")}\n  ${plural(listed, "skill")} listed, ${attention.length} to look at`,
  );
  for (const finding of attention) printFinding(context, finding);
  terminal.print(`\n${terminal.style("bold", "Environment")}`);
  const { node, platform, sandbox, state, data, elsewhere } = environment;
  const facts = { node, platform, sandbox, state: tildify(state, engine.home), data: tildify(data, engine.home) };
  for (const [key, value] of Object.entries(facts)) terminal.print(`  ${key.padEnd(8)}  ${value}`);
  for (const { count, path, agent } of elsewhere) {
    terminal.print(`  ${plural(count, "skill")} in ${tildify(path, engine.home)}: skillholm compat on ${agent}`);
  }
}

function printFinding({ terminal, engine }: Context, finding: SkillFinding): void {
  const { name, path, state, reason, fix, hiddenText = [] } = finding;
  const color = state === "listed" ? "green" : state === "invalid" || state === "missing" ? "red" : "yellow";
  const place = path === null ? "" : terminal.style("dim", tildify(path, engine.home));
  terminal.print(`  ${terminal.style(color, state.padEnd(10))}  ${terminal.style("bold", plain(name))}  ${place}`);
  if (reason !== "") terminal.print(`              ${plain(reason)}`);
  for (const text of hiddenText)
    terminal.print(`              ${terminal.style("red", "hidden text")} ${harmless(text)}`);
  if (fix !== "") terminal.print(`              ${terminal.style("cyan", "→")} ${plain(fix)}`);
}
