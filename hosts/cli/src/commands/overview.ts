import type { Context } from "../context.ts";
import { plural } from "../terminal.ts";
import { printSkills, runList } from "./list.ts";

/** What is here and what to try next: for somebody who just typed the command's name. */
export async function runOverview(context: Context): Promise<number> {
  const { terminal } = context;
  if (context.json) return runList(context);
  const { catalog } = await context.skills();
  const bundled = catalog.skills.filter((skill) => skill.scope === "system");
  const own = catalog.skills.length - bundled.length;
  terminal.print(terminal.style("bold", "Skillholm, the Agent Skills runtime"));
  terminal.print("\nSkills that come with it:\n");
  printSkills(context, bundled);
  terminal.print(
    `\n${plural(own, "skill")} of your own${own === 0 ? " yet" : ""}; ${plural(catalog.hidden.length, "skill")} not listed.`,
  );
  terminal.print("\nTry next:");
  for (const [command, why] of nextSteps) terminal.print(`  ${terminal.style("cyan", command.padEnd(36))} ${why}`);
  return 0;
}

const nextSteps = [
  ["npx skillholm serve", "the same and a chat, as a page"],
  ['npx skillholm ask "…"', "find the skill for a task"],
  ["npx skillholm list", "every skill on this machine, and why some are not listed"],
  ["npx skillholm show write-a-skill", "one skill: fields, files, cost in tokens"],
  ["npx skillholm compat", "skills that lie in other agents' folders"],
  ["npx skillholm --help", "everything else"],
] as const;
