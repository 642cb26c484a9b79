import { accessSync, constants, lstatSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Client,
  type ClientVerdict,
  findClients,
  fixSkill,
  judgeForClients,
  readSkillFolder,
  SkillError,
  type SkillFolder,
  type Verdict,
  validateSkill,
} from "@skillholm/core";
import { type Engine, writeAtomically } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { diffLines } from "../diff.ts";
import { toSarif } from "../sarif.ts";
import { harmless, plain, plural, tildify } from "../terminal.ts";
import { packageVersion } from "../version.ts";

export interface ValidateOptions {
  readonly fix?: boolean;
  readonly sarif?: boolean;
  /** Clients, with commas. */
  readonly for?: string;
}

/** A verdict, and what was mended before it. */
interface Result extends Verdict {
  readonly fixes?: readonly string[];
  readonly diff?: readonly string[];
  /** Why it was not mended, though it could be. */
  readonly notFixed?: string;
  /** What other clients make of it. */
  readonly clients?: readonly ClientVerdict[];
}

/** Judges skills by the specification to the letter; says 1 when one of them breaks it. */
export async function runValidate(
  context: Context,
  paths: readonly string[],
  options: ValidateOptions,
): Promise<number> {
  const { engine, terminal } = context;
  const results: Result[] = [];
  const clients = findClients(parseList(options.for));
  for (const path of paths) {
    if (path === "") throw new SkillError("invalid-input", "An empty path names no skill.");
    const target = resolve(engine.cwd, path);
    const verdict = await validatePath(context, target, options.fix === true);
    const result = enforceReferences(verdict, engine);
    results.push(clients.length === 0 ? result : { ...result, clients: await askClients(target, verdict, clients) });
  }
  const valid = results.every((result) => result.valid);
  const dropped = results.some((result) => result.clients?.some(({ loads }) => !loads));
  if (options.sarif) terminal.print(JSON.stringify(toSarif(results, packageVersion(), engine.cwd), null, 2));
  else if (context.json) await terminal.printJson({ valid, results });
  else printResults(context, results);
  return valid && !dropped ? 0 : 1;
}

/** Files that only another file names: a remark, unless the configuration rejects them. */
function enforceReferences(result: Result, engine: Engine): Result {
  const isNested = ({ code }: Result["diagnostics"][number]) => code === "reference-nested";
  if (!result.diagnostics.some(isNested)) return result;
  if (engine.config().get("skills.nested_references") !== "reject") return result;
  const diagnostics = result.diagnostics.map((each) =>
    isNested(each) ? { ...each, severity: "error" as const } : each,
  );
  return { ...result, valid: false, diagnostics };
}

export function parseList(text = ""): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

async function askClients(
  path: string,
  verdict: Verdict,
  clients: readonly Client[],
): Promise<readonly ClientVerdict[]> {
  const found = await readSkillFolder(path);
  return judgeForClients(clients, verdict, "valid" in found ? undefined : found);
}

async function validatePath({ engine }: Context, path: string, fix: boolean): Promise<Result> {
  const found = await readSkillFolder(path);
  if ("valid" in found) return found;
  const fixed = fix ? fixSkill(found.bytes, found.folder) : undefined;
  if (fixed === undefined) return validateSkill(found);
  const notFixed = await write(engine, found, fixed.text);
  if (notFixed !== undefined) return { ...validateSkill(found), notFixed };
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(found.bytes);
  const verdict = validateSkill({ ...found, bytes: new TextEncoder().encode(fixed.text) });
  return { ...verdict, fixes: fixed.fixes, diff: diffLines(before, fixed.text) };
}

/** Writes the mended file; says why not where it must not or cannot. */
async function write(engine: Engine, { path, dir }: SkillFolder, text: string): Promise<string | undefined> {
  if (lstatSync(path).isSymbolicLink()) return "it is a link; mend the file that it leads to";
  try {
    accessSync(path, constants.W_OK);
    // What was trusted to the byte stays so: the person asked for this change.
    const renew = await isTrustedContent(engine, path);
    writeAtomically(path, text, "as before");
    if (renew) await engine.trustContents(realpathSync(dir));
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === "EACCES" || code === "EROFS" || code === "EPERM" ? "it may not be written" : message;
  }
}

async function isTrustedContent(engine: Engine, path: string): Promise<boolean> {
  if (engine.config().get("skills.trust") !== "content") return false;
  return (await engine.skills()).catalog.skills.some((skill) => skill.path === path);
}

function printResults(context: Context, results: readonly Result[]): void {
  for (const result of results) printResult(context, result);
  const invalid = results.filter((result) => !result.valid).length;
  const all = plural(results.length, "skill");
  const verb = results.length === 1 ? "obeys" : "obey";
  context.terminal.note(invalid === 0 ? `${all} ${verb} the specification` : `${invalid} of ${all} invalid`);
}

function printResult({ terminal, engine }: Context, result: Result): void {
  const { path, valid, diagnostics, fixes = [], diff = [], notFixed, clients = [] } = result;
  const mark = valid ? terminal.style("green", "✓") : terminal.style("red", "✗");
  terminal.print(`${mark} ${terminal.style("bold", tildify(path, engine.home))}`);
  if (notFixed !== undefined) terminal.print(`  ${terminal.style("yellow", "not mended")} ${plain(notFixed)}`);
  for (const fix of fixes) terminal.print(`  ${terminal.style("green", "mended")} ${plain(fix)}`);
  for (const line of diff) terminal.print(`    ${styleDiff(terminal, harmless(line))}`);
  for (const { severity, code, file, line, column, message } of diagnostics) {
    const where = file === undefined ? "" : `${plain(file)}:`;
    const place = line === undefined ? "" : ` ${where}${line}:${column ?? 1}`;
    const color = severity === "error" ? "red" : "yellow";
    terminal.print(`  ${terminal.style(color, severity)}${place} ${plain(message)} ${terminal.style("dim", code)}`);
  }
  for (const verdict of clients) terminal.print(`  ${describeClient(verdict)}`);
}

/** One line on what a client makes of a skill. */
export function describeClient({ client, version, checked, loads, reasons, changes, ignores }: ClientVerdict): string {
  const ignored = ignores.length === 0 ? [] : [`ignores ${ignores.map(plain).join(", ")}`];
  const shown = changes.length === 0 ? "shows it" : `shows it, but ${changes.join("; ")}`;
  const verdict = loads ? [shown, ...ignored].join("; ") : `does not show it: ${reasons.join("; ")}`;
  return `${!loads ? "✗" : changes.length > 0 ? "!" : "✓"} ${client} ${version} ${verdict} (seen ${checked})`;
}

function styleDiff(terminal: Context["terminal"], line: string): string {
  if (line.startsWith("+")) return terminal.style("green", line);
  return line.startsWith("-") ? terminal.style("red", line) : line;
}
