import { dirname, relative, sep } from "node:path";
import {
  type Client,
  type ClientVerdict,
  findClients,
  judgeForClients,
  readSkillFolder,
  validateSkill,
} from "@skillholm/core";
import { type Diagnosis, diagnose, type Engine, type SkillFinding } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { harmless, plain, plural, tildify, withProgress } from "../terminal.ts";
import { describeClient, parseList } from "./validate.ts";

export interface DoctorOptions {
  /** Clients, with commas. */
  readonly for?: string;
}

/** A finding, and what other clients make of the skill. */
interface Finding extends SkillFinding {
  readonly clients?: readonly ClientVerdict[];
  /** How `skillholm mcp` gives it to clients that use only the Skills extension. */
  readonly mcp?: McpServing;
}

type McpServing = Awaited<ReturnType<Engine["mcpServing"]>>;

type Found = Omit<Diagnosis, "skills"> & { readonly skills: readonly Finding[] };

/** Why a skill is not there, and what to do. With a name, 1 when it cannot be used. */
export async function runDoctor(context: Context, name: string | undefined, options: DoctorOptions): Promise<number> {
  const clients = findClients(parseList(options.for));
  const looked = await withProgress("Looking at every skill…", diagnose(context.engine, name));
  const judged = clients.length === 0 ? looked : await askClients(looked, clients);
  const found = clients.some(({ id }) => id === "mcp") ? await askMcp(context.engine, judged) : judged;
  if (context.json) await context.terminal.printJson(found);
  else if (name === undefined) printAll(context, found);
  else printNamed(context, found);
  return name === undefined || found.usable ? 0 : 1;
}

async function askClients(found: Diagnosis, clients: readonly Client[]): Promise<Found> {
  const skills: Finding[] = [];
  for (const finding of found.skills) {
    const { path } = finding;
    // What lies on another server is no folder of this machine.
    const isHere = path !== null && !path.startsWith("mcp://");
    const folder = isHere ? await readSkillFolder(dirname(path)) : undefined;
    if (path === null || folder === undefined || "valid" in folder) {
      skills.push(finding);
      continue;
    }
    const root = found.roots.find((each) => path.startsWith(each.path + sep))?.path ?? dirname(dirname(path));
    const depth = relative(root, dirname(path)).split(sep).length;
    skills.push({ ...finding, clients: judgeForClients(clients, validateSkill(folder), folder, depth) });
  }
  return { ...found, skills };
}

/** The client judges folders; our own server makes the most of what it can of a skill. */
async function askMcp(engine: Engine, found: Found): Promise<Found> {
  const { catalog } = await engine.skills();
  // What its author keeps for people is a prompt there, and nothing else.
  const forModels = catalog.skills.filter(({ fields }) => fields.disableModelInvocation !== true);
  const listed = new Map(forModels.map((skill) => [skill.path, skill]));
  const skills: Finding[] = [];
  for (const finding of found.skills) {
    const skill = listed.get(finding.path ?? "");
    skills.push(skill === undefined ? finding : { ...finding, mcp: await engine.mcpServing(skill) });
  }
  return { ...found, skills };
}

function printNamed(context: Context, { skills }: Found): void {
  for (const finding of skills) printFinding(context, finding);
}

function printAll(context: Context, found: Found): void {
  const { terminal, engine } = context;
  const { roots, skills, environment } = found;
  terminal.print(terminal.style("bold", "Roots"));
  for (const { path, scope, exists, trusted, skills: count, problem } of roots) {
    const seen = exists ? `${plural(count, "skill")}${trusted ? "" : ", not trusted"}` : "not there";
    const state = harmless(problem ?? seen);
    terminal.print(`  ${scope.padEnd(7)}  ${tildify(path, engine.home)}  ${terminal.style("dim", state)}`);
  }
  const listed = skills.filter(({ state }) => state === "listed").length;
  const attention = skills.filter(needsAttention);
  terminal.print(
    `\n${terminal.style("bold", "Skills")}\n  ${plural(listed, "skill")} listed, ${attention.length} to look at`,
  );
  for (const finding of attention) printFinding(context, finding);
  terminal.print(`\n${terminal.style("bold", "Environment")}`);
  const { node, platform, state, data, elsewhere, scripts, sandboxProblem, unsandboxed } = environment;
  const open = unsandboxed ? "none: scripts run without one, since skills.sandbox says so" : environment.sandbox;
  const sandbox = harmless(sandboxProblem === undefined ? open : `none: ${sandboxProblem}`);
  const facts = {
    node,
    platform,
    sandbox,
    scripts,
    state: tildify(state, engine.home),
    data: tildify(data, engine.home),
  };
  for (const [key, value] of Object.entries(facts)) terminal.print(`  ${key.padEnd(8)}  ${value}`);
  for (const { count, path, agent } of elsewhere) {
    terminal.print(`  ${plural(count, "skill")} in ${tildify(path, engine.home)}: skillholm compat on ${agent}`);
  }
}

function needsAttention({ state, reason, hiddenText, clients }: Finding): boolean {
  return (
    state !== "listed" || reason !== "" || hiddenText !== undefined || clients?.some(({ loads }) => !loads) === true
  );
}

function printFinding({ terminal, engine }: Context, finding: Finding): void {
  const { name, path, state, reason, fix, hiddenText = [], clients = [], mcp } = finding;
  const color = state === "listed" ? "green" : state === "invalid" || state === "missing" ? "red" : "yellow";
  const place = path === null ? "" : terminal.style("dim", tildify(path, engine.home));
  terminal.print(`  ${terminal.style(color, state.padEnd(10))}  ${terminal.style("bold", plain(name))}  ${place}`);
  if (reason !== "") terminal.print(`              ${plain(reason)}`);
  for (const text of hiddenText)
    terminal.print(`              ${terminal.style("red", "hidden text")} ${harmless(text)}`);
  if (fix !== "") terminal.print(`              ${terminal.style("cyan", "→")} ${plain(fix)}`);
  for (const verdict of clients) terminal.print(`              ${describeClient(verdict)}`);
  if (mcp !== undefined) terminal.print(`              ${describeServing(mcp)}`);
}

function describeServing(mcp: McpServing): string {
  if (mcp.served === "whole") return "skillholm mcp  gives it as it is";
  const how = mcp.served === "shortened" ? "with a frontmatter that fits" : "by tools only";
  return `skillholm mcp  gives it ${how}: ${plain(mcp.reason)}`;
}
