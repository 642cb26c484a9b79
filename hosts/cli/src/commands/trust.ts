import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { createInterface } from "node:readline/promises";
import { SkillError } from "@skillholm/core";
import { createEngine } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { diffLines } from "../diff.ts";
import { harmless, plain, plural } from "../terminal.ts";

export interface TrustOptions {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly revoke?: boolean;
}

/** Lets a project's own skills load, once a person has said so. */
export async function runTrust(context: Context, given: string | undefined, options: TrustOptions): Promise<number> {
  const { engine } = context;
  if (options.list) return listTrusted(context);
  if (given?.startsWith("mcp://")) return approveServer(context, given, options);
  const folder = given === undefined ? engine.project : resolve(engine.cwd, given);
  if (options.revoke) return revoke(context, folder);
  checkFolder(folder, given, engine.home);
  await showChanges(context, folder);
  if (!options.yes && !(await askToTrust(context, folder))) {
    throw new SkillError("skill-untrusted", `${folder} stays untrusted. To trust it without a question, add --yes.`);
  }
  await engine.trust.add(folder);
  await createEngine({ cwd: folder }).trustContents(realpathSync(folder));
  return report(context, { folder, trusted: true }, `Trusted: ${folder} and everything below it.`);
}

/** The same for another server's skills: for these very files, and for as long as they stay the same. */
async function approveServer(context: Context, given: string, { yes, revoke }: TrustOptions): Promise<number> {
  if (revoke) throw new SkillError("invalid-input", "Take the server out of [[mcp.servers]] to be rid of its skills.");
  const path = given.replace(/\/+$/, "");
  const { hidden } = (await context.skills()).catalog;
  const waiting = hidden.filter(({ root, state }) => root.path === path && state === "untrusted");
  for (const { name, reason } of waiting) context.terminal.note(`${plain(name)}: ${plain(reason)}`);
  if (
    !yes &&
    waiting.length > 0 &&
    !(await askPerson(context, `Approve ${plural(waiting.length, "skill")} of ${path}?`))
  ) {
    throw new SkillError("skill-untrusted", `${path} stays unapproved. To approve it without a question, add --yes.`);
  }
  const skills = await context.engine.approveServer(path);
  return report(context, { server: path, skills }, `Approved: ${plural(skills.length, "skill")} of ${path}.`);
}

/** Where every change has to be trusted: what is not as it was. */
async function showChanges({ terminal }: Context, folder: string): Promise<void> {
  const there = createEngine({ cwd: folder });
  const { hidden } = (await there.skills()).catalog;
  for (const { name, root, state, skill } of hidden) {
    if (state !== "untrusted" || !root.trusted || skill === undefined) continue;
    terminal.note(`${terminal.style("bold", plain(name))}:`);
    for (const { path, change, before, after } of await there.changes(skill)) {
      terminal.note(`  ${plain(path)} is ${change}`);
      const diff = before === undefined || after === undefined ? [] : diffLines(before, after);
      for (const line of diff) terminal.note(`    ${harmless(line)}`);
    }
  }
}

function checkFolder(folder: string, given: string | undefined, home: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SkillError("invalid-input", `There is no folder ${folder}.`);
  }
  if (given === undefined && folder === home) {
    throw new SkillError("invalid-input", "This is your home folder, with everything in it. Name the folder to trust.");
  }
}

async function listTrusted(context: Context): Promise<number> {
  const folders = context.engine.trust.list();
  if (context.json) await context.terminal.printJson({ folders });
  else if (folders.length === 0) context.terminal.note("No folder is trusted yet.");
  else for (const folder of folders) context.terminal.print(harmless(folder));
  return 0;
}

async function revoke(context: Context, folder: string): Promise<number> {
  const { trust } = context.engine;
  if (await trust.remove(folder)) return report(context, { folder, trusted: false }, `No longer trusted: ${folder}`);
  const above = trust.list().find((each) => folder.startsWith(each + sep));
  const hint = above === undefined ? `Trusted: ${trust.list().join(", ") || "none"}.` : `It is trusted with ${above}.`;
  throw new SkillError("skill-untrusted", `${folder} was not trusted by itself. ${hint}`);
}

async function report({ json, terminal }: Context, data: object, text: string): Promise<number> {
  if (json) await terminal.printJson(data);
  else terminal.print(harmless(text));
  return 0;
}

async function askToTrust(context: Context, folder: string): Promise<boolean> {
  if (!isTerminal()) return false;
  const { catalog } = await createEngine({ cwd: folder }).skills();
  const inside = (path: string) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const waiting = catalog.hidden.filter((each) => each.state === "untrusted" && inside(each.root.path));
  const names = waiting
    .slice(0, 10)
    .map((each) => plain(each.name))
    .join(", ");
  const { terminal } = context;
  terminal.note(
    `${harmless(folder)} brings ${plural(waiting.length, "skill")}${names === "" ? "" : `: ${names}`}${waiting.length > 10 ? ", …" : ""}`,
  );
  terminal.note("Skills in the folders below it count too, now and later.");
  return askPerson(context, "Trust this folder and everything below it?");
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

async function askPerson({ terminal }: Context, question: string): Promise<boolean> {
  if (!isTerminal()) return false;
  terminal.note("A skill is text that your agent will follow, and may bring scripts. Trust only what you have read.");
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${harmless(question)} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    // Ctrl-C and Ctrl-D are a no.
    terminal.note("");
    return false;
  } finally {
    prompt.close();
  }
}
