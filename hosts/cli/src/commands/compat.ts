import { type Agent, agents, closestNames, SkillError } from "@skillholm/core";
import type { Context } from "../context.ts";
import { tildify } from "../terminal.ts";

/** Switches other agents' folders on or off, or tells which are on. */
export async function runCompat(
  context: Context,
  state: string | undefined,
  names: readonly string[],
): Promise<number> {
  if (state === undefined) return showCompat(context);
  if (state !== "on" && state !== "off") throw wrong(`"${state}" should be "on" or "off".`);
  if (names.length === 0) throw wrong(`Which agent? Known: ${agents.join(", ")}.`);
  for (const name of names) checkAgent(name);
  for (const name of names) await context.engine.compat.set(name, state);
  return showCompat(context);
}

async function showCompat({ engine, json, terminal }: Context): Promise<number> {
  const on = engine.compat.list();
  const elsewhere = await engine.elsewhere();
  if (json) {
    await terminal.printJson({ on, off: agents.filter((agent) => !on.includes(agent)), elsewhere });
    return 0;
  }
  for (const agent of agents) {
    const found = elsewhere.filter((each) => each.agent === agent);
    const more = found.map((each) => `${each.count} in ${tildify(each.path, engine.home)}`).join(", ");
    terminal.print(
      `${agent.padEnd(9)} ${on.includes(agent) ? terminal.style("green", "on ") : "off"}  ${more}`.trimEnd(),
    );
  }
  return 0;
}

function checkAgent(name: string): asserts name is Agent {
  if ((agents as readonly string[]).includes(name)) return;
  const [near] = closestNames(agents, name, 1);
  throw wrong(`There is no agent "${name}". Known: ${agents.join(", ")}.${near ? ` Did you mean "${near}"?` : ""}`);
}

function wrong(message: string): SkillError {
  return new SkillError("invalid-input", message);
}
