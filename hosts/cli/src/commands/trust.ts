import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { SkillError } from "@skillholm/core";
import type { Context } from "../context.ts";
import { plural } from "../terminal.ts";

export interface TrustOptions {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly revoke?: boolean;
}

/** Lets a project's own skills load, once a person has said so. */
export async function runTrust(context: Context, given: string | undefined, options: TrustOptions): Promise<number> {
  const { engine } = context;
  if (options.list) return report(context, { folders: engine.trust.list() }, engine.trust.list().join("\n"));
  const folder = given === undefined ? engine.project : resolve(engine.cwd, given);
  if (options.revoke) return revoke(context, folder);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SkillError("invalid-input", `There is no folder ${folder}.`);
  }
  if (!options.yes && !(await askToTrust(context, folder))) {
    throw new SkillError("skill-untrusted", `${folder} stays untrusted. To trust it: skillholm trust ${folder} --yes`);
  }
  await engine.trust.add(folder);
  return report(context, { folder, trusted: true }, `Trusted: ${folder} and everything below it.`);
}

async function revoke(context: Context, folder: string): Promise<number> {
  const known = await context.engine.trust.remove(folder);
  if (known) return report(context, { folder, trusted: false }, `No longer trusted: ${folder}`);
  throw new SkillError(
    "invalid-input",
    `${folder} was not trusted. Trusted: ${context.engine.trust.list().join(", ") || "none"}.`,
  );
}

function report({ json, terminal }: Context, data: object, text: string): number {
  if (json) terminal.printJson(data);
  else terminal.print(text);
  return 0;
}

async function askToTrust(context: Context, folder: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { catalog } = await context.skills();
  const waiting = catalog.hidden.filter((each) => each.state === "untrusted" && each.path.startsWith(`${folder}/`));
  context.terminal.note(`${folder} brings ${plural(waiting.length, "skill")}.`);
  context.terminal.note(
    "A skill is text that your agent will follow, and may bring scripts. Trust only what you have read.",
  );
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question("Trust this folder and everything below it? [y/N] ");
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}
