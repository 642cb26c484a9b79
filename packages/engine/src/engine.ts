import { homedir } from "node:os";
import { resolve } from "node:path";
import {
  type Agent,
  agents,
  countElsewhere,
  type Elsewhere,
  openSkills,
  projectFolder,
  type Root,
  type Skills,
} from "@skillholm/core";
import { type CompatStore, createCompatStore, createTrustStore, stateFolder, type TrustStore } from "@skillholm/store";

export interface EngineOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Instead of the default roots; a root that a person names is trusted. */
  readonly roots?: readonly Root[];
}

/** What every host opens: the skills, and what a person decided about them. */
export interface Engine {
  readonly cwd: string;
  readonly home: string;
  /** The folder that `trust` means when none is named. */
  readonly project: string;
  readonly trust: TrustStore;
  readonly compat: CompatStore;
  /** Loads the skills, once. */
  skills(): Promise<Skills>;
  /** What lies in the folders of agents that are switched off. */
  elsewhere(): Promise<readonly Elsewhere[]>;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const env = options.env ?? process.env;
  const home = resolve(env.HOME || homedir());
  const cwd = resolve(options.cwd ?? process.cwd());
  const folder = stateFolder(env, home);
  const trust = createTrustStore(folder);
  const compat = createCompatStore(folder);
  let opened: Promise<Skills> | undefined;

  const place = () => ({ cwd, home, trusted: trust.isTrusted, compat: compat.list().filter(isAgent) });
  const skills = () => {
    opened ??= openSkills(options.roots === undefined ? place() : { roots: options.roots });
    return opened;
  };
  return {
    cwd,
    home,
    project: projectFolder(cwd, home),
    trust,
    compat,
    skills,
    elsewhere: async () => (options.roots === undefined ? countElsewhere((await skills()).catalog, place()) : []),
  };
}

function isAgent(name: string): name is Agent {
  return (agents as readonly string[]).includes(name);
}
