import { operations } from "@skillholm/core";
import { agentBase } from "./agent-base.ts";
import { codelia, codeliaOperations } from "./codelia.ts";
import { mycodeagent, mycodeagentOperations } from "./mycodeagent.ts";
import type { Profile } from "./profile.ts";
import { remcochat, remcochatOperations } from "./remcochat.ts";
import { smallebot } from "./smallebot.ts";
import { standard } from "./standard.ts";

/** Every profile by its name. */
export const profiles: Readonly<Record<string, Profile>> = Object.fromEntries(
  [standard, remcochat, codelia, agentBase, mycodeagent, smallebot].map((profile) => [profile.name, profile]),
);

export const profileNames: readonly string[] = Object.keys(profiles);

const aliases: Readonly<Record<string, string>> = {
  ...remcochatOperations,
  ...codeliaOperations,
  ...mycodeagentOperations,
  ReadFile: operations.read,
};

/** The tools that a rule may name: one configuration serves every profile. */
export const toolNames: readonly string[] = [
  ...Object.values(operations),
  "run_skill_script",
  "script_run",
  ...Object.keys(aliases),
];

/** What a tool does, by whatever name a profile offers it. */
export function operationOf(tool: string): string {
  return aliases[tool] ?? tool;
}
