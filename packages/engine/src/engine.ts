import { resolve } from "node:path";
import type { ChatChunk } from "@skillholm/chat";
import {
  type Agent,
  agents,
  countElsewhere,
  type Diagnostic,
  type Elsewhere,
  homeFolder,
  openSkills,
  projectFolder,
  type Root,
  SkillError,
  type Skills,
} from "@skillholm/core";
import {
  type CompatStore,
  createCompatStore,
  createTrustStore,
  dataFolder,
  readServerKey,
  stateFolder,
  type TrustStore,
} from "@skillholm/store";
import type { Chats } from "./chats.ts";

export interface EngineOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Instead of the default roots; a root that a person names is trusted. */
  readonly roots?: readonly Root[];
}

/** The model that answers. */
export interface ModelFacts {
  readonly id: string;
  /** False for the built-in guide: it finds skills and shows them, and cannot follow them. */
  readonly languageModel: boolean;
}

/** What every host opens: the skills, and what a person decided about them. */
export interface Engine {
  readonly cwd: string;
  readonly home: string;
  /** The folder that `trust` means when none is named. */
  readonly project: string;
  readonly trust: TrustStore;
  readonly compat: CompatStore;
  /** What was remembered and cannot be read. */
  readonly problems: readonly Diagnostic[];
  /** Loads the skills, once until an answer changes. */
  skills(): Promise<Skills>;
  /** The same after another look at the disk, and at what was decided in other processes. */
  freshSkills(): Promise<Skills>;
  /** What lies in the folders of agents that are switched off. */
  elsewhere(): Promise<readonly Elsewhere[]>;
  /** The secret in the server's address. */
  serverKey(): Promise<string>;
  readonly model: ModelFacts;
  /** Conversations, kept on this machine. */
  chats(): Promise<Chats>;
  /** One answer, kept nowhere. */
  ask(text: string): Promise<ReadableStream<ChatChunk>>;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const env = options.env ?? process.env;
  const home = homeFolder(env);
  const cwd = resolve(options.cwd ?? process.cwd());
  const folder = stateFolder(env, home);
  let opened: Promise<Skills> | undefined;
  // A new answer makes other roots: the next one who asks gets them.
  const forget = <T>(result: T): T => {
    opened = undefined;
    return result;
  };
  const trust = createTrustStore(folder);
  const compat = createCompatStore(folder);

  const problems: Diagnostic[] = [];
  /** What cannot be remembered counts as never said; skills are listed all the same. */
  const recall = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      const { message } = error;
      const known = problems.some((each) => each.message === message);
      if (!known) problems.push({ code: "state-unreadable", severity: "warning", path: folder, message });
      return otherwise;
    }
  };
  const place = () => ({
    cwd,
    home,
    trusted: (project: string) => recall(() => trust.isTrusted(project), false),
    compat: recall(() => compat.list(), []).filter(isAgent),
  });
  const skills = () => {
    opened ??= openSkills(options.roots === undefined ? place() : { roots: options.roots });
    opened.catch(forget);
    return opened;
  };
  let decided = "";
  const freshSkills = async (): Promise<Skills> => {
    problems.length = 0;
    const now = JSON.stringify([recall(() => trust.list(), []), recall(() => compat.list(), [])]);
    if (now !== decided) forget(undefined);
    decided = now;
    const before = opened;
    const found = await skills();
    if (before !== undefined) await found.reload();
    return found;
  };
  return {
    cwd,
    home,
    project: projectFolder(cwd, home),
    trust: {
      ...trust,
      add: (path) => trust.add(path).then(forget),
      remove: (path) => trust.remove(path).then(forget),
    },
    compat: { ...compat, set: (agent, state) => compat.set(agent, state).then(forget) },
    problems,
    skills,
    freshSkills,
    serverKey: () => readServerKey(folder),
    model: { id: "guide", languageModel: false },
    chats: async () => (await import("./chats.ts")).openChats({ skills: freshSkills, folder: dataFolder(env, home) }),
    ask: async (text) => (await import("./ask.ts")).ask(await skills(), text),
    elsewhere: async () => (options.roots === undefined ? countElsewhere((await skills()).catalog, place()) : []),
  };
}

function isAgent(name: string): name is Agent {
  return (agents as readonly string[]).includes(name);
}
