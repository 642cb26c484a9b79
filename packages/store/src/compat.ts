import { join } from "node:path";
import { stateFolder } from "./folders.ts";
import { createStateFile } from "./state-file.ts";

/** Other agents whose folders a person switched on. */
export interface CompatStore {
  list(): readonly string[];
  set(agent: string, state: "on" | "off"): Promise<void>;
}

export function createCompatStore(folder: string = stateFolder()): CompatStore {
  const file = createStateFile(join(folder, "compat.json"), { agents: [] as readonly string[] }, checkAgents);
  return {
    list: () => file.read().agents,
    set: async (agent, state) => {
      await file.update(({ agents }) => {
        const others = agents.filter((each) => each !== agent);
        return { agents: state === "on" ? [...others, agent].sort() : others };
      });
    },
  };
}

function checkAgents(value: unknown): { agents: readonly string[] } {
  const { agents } = Object(value) as { agents: unknown };
  if (!Array.isArray(agents) || agents.some((each) => typeof each !== "string")) {
    throw new Error('"agents" should be a list of names');
  }
  return { agents };
}
