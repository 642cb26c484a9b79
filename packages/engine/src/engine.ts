import { resolve, sep } from "node:path";
import type { ChatChunk } from "@skillholm/chat";
import {
  type Agent,
  agents,
  countElsewhere,
  type Diagnostic,
  type Elsewhere,
  type Gate,
  homeFolder,
  openSkills,
  type Policy,
  projectFolder,
  type Root,
  type Session,
  type Skill,
  SkillError,
  type SkillRef,
  type Skills,
} from "@skillholm/core";
import type { RpcHandler } from "@skillholm/rpc";
import {
  type CompatStore,
  createCompatStore,
  createContentTrust,
  createTrustStore,
  createUsageStore,
  dataFolder,
  readServerKey,
  stateFolder,
  type TrustStore,
  type UsageStore,
} from "@skillholm/store";
import type { ActivationOutput, ResourceOutput, ToolResult } from "@skillholm/tools";
import type { Chats } from "./chats.ts";
import type { ConfigValue } from "./config-keys.ts";
import { type ChangedFile, findChanges, judgeContent, trustContent } from "./content-gate.ts";
import { type OpenedConfig, openConfig } from "./open-config.ts";
import type { ToolCall } from "./operate.ts";
import type { PromptReport } from "./prompt.ts";

export interface EngineOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Instead of the default roots; a root that a person names is trusted. */
  readonly roots?: readonly Root[];
  /** A configuration file in place of the project's. */
  readonly config?: string;
  /** Settings from the command line, by key. */
  readonly flags?: Readonly<Record<string, ConfigValue>>;
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
  /** Where what is remembered and what was said lies. */
  readonly folders: { readonly state: string; readonly data: string };
  /** The folder that `trust` means when none is named. */
  readonly project: string;
  readonly trust: TrustStore;
  readonly compat: CompatStore;
  /** The settings, and where each came from; throws for a file that is wrong. */
  config(): OpenedConfig;
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
  /** What is not as it was when a project's skill was trusted; nothing where only folders are trusted. */
  changes(skill: SkillRef): Promise<readonly ChangedFile[]>;
  /** Remembers the skills below a folder as they are now. */
  trustContents(folder: string): Promise<void>;
  /** What the model sees at the start; the budget, in tokens, is the configured one unless given. */
  prompt(options?: { readonly budget?: number | undefined; readonly task?: string | undefined }): Promise<PromptReport>;
  /** What a skill's entry in the catalog costs, in full. */
  entryTokens(skill: Skill): Promise<number>;
  /** A skill's instructions, as a model gets them, for a person. */
  load(reference: string, given?: string): Promise<ActivationOutput>;
  /** One file of a skill; `lines` as `10-40`. */
  read(reference: string, path: string, lines?: string): Promise<ResourceOutput>;
  /** Calls one tool exactly as a model would. */
  callTool(call: ToolCall): Promise<ToolResult>;
  /** Answers messages of JSON-RPC. */
  rpc(version: string): Promise<RpcHandler>;
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
  const contents = createContentTrust(folder);

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
  const counted = createUsageStore(folder);
  const usage: UsageStore = { ...counted, counts: () => recall(counted.counts, new Map()) };
  const project = projectFolder(cwd, home);
  const isTrusted = (path: string) => recall(() => trust.isTrusted(path), false);
  const config = (): OpenedConfig => {
    const { config: file, flags = {} } = options;
    return openConfig({ cwd, project, home, env, isTrusted, file, flags });
  };
  const place = (settings: OpenedConfig) => ({
    cwd,
    home,
    trusted: isTrusted,
    compat: [...recall(() => compat.list(), []), ...(settings.get("skills.compat") as string[])].filter(isAgent),
  });
  const open = async (): Promise<Skills> => {
    const settings = config();
    const policy = policyOf(settings);
    const gate: Gate = async (skill, hashes) => judgeContent(contents, skill, await hashes());
    const gated = settings.get("skills.trust") === "content" ? { gate } : {};
    if (settings.get("skills.enabled") === false) return openSkills({ roots: [], policy });
    const named = options.roots ?? settings.roots?.map(({ value }) => value);
    return openSkills(named ? { roots: named, policy, ...gated } : { ...place(settings), policy, ...gated });
  };
  const skills = () => {
    opened ??= open();
    opened.catch(forget);
    return opened;
  };
  /** A model's side of the skills, with the rules as they are now. */
  const session = async (found: Skills): Promise<Session> => {
    const { openSession, rulesOf } = await import("./operate.ts");
    return openSession(found, rulesOf(config()));
  };
  let decided = "";
  const freshSkills = async (): Promise<Skills> => {
    problems.length = 0;
    const { settings, roots } = config();
    const now = JSON.stringify([recall(() => trust.list(), []), recall(() => compat.list(), []), settings, roots]);
    if (now !== decided) forget(undefined);
    decided = now;
    const before = opened;
    const found = await skills();
    if (before !== undefined) await found.reload();
    return found;
  };
  const engine: Engine = {
    cwd,
    home,
    folders: { state: folder, data: dataFolder(env, home) },
    project,
    config,
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
    changes: async (skill) => {
      const isStrict = config().get("skills.trust") === "content";
      return isStrict && skill.root.project !== undefined ? findChanges(contents, await skills(), skill) : [];
    },
    trustContents: async (path) => {
      if (config().get("skills.trust") !== "content") return;
      const found = await freshSkills();
      const all = [...found.catalog.skills, ...found.catalog.hidden.flatMap(({ skill }) => skill ?? [])];
      for (const skill of all) {
        const isOurs = skill.root.project !== undefined && `${skill.realPath}${sep}`.startsWith(`${path}${sep}`);
        if (isOurs && skill.root.trusted) await trustContent(contents, found, skill);
      }
      forget(undefined);
    },
    prompt: async ({ budget = budgetOf(config()), task } = {}) => {
      const { renderPrompt, viewSkills } = await import("./prompt.ts");
      return renderPrompt(await viewSkills(await session(await skills()), usage, task), budget);
    },
    entryTokens: async (skill) => (await import("./prompt.ts")).countEntry(skill),
    load: async (reference, given) => {
      const { loadSkill, rulesOf } = await import("./operate.ts");
      return loadSkill(await skills(), rulesOf(config()), reference, given);
    },
    read: async (reference, path, lines) => {
      const { readSkillFile, rulesOf } = await import("./operate.ts");
      return readSkillFile(await skills(), rulesOf(config()), reference, path, lines);
    },
    callTool: async (call) => {
      const { callTool, rulesOf } = await import("./operate.ts");
      return callTool(await skills(), rulesOf(config()), call);
    },
    rpc: async (version) => {
      const { createRpc } = await import("./rpc.ts");
      return createRpc(engine, version, (folder) => createEngine({ ...options, cwd: folder }));
    },
    chats: async () => {
      const { openChats } = await import("./chats.ts");
      const fresh = async () => session(await freshSkills());
      return openChats({ session: fresh, folder: dataFolder(env, home), budget: budgetOf(config()), usage });
    },
    ask: async (text) => (await import("./ask.ts")).ask(await session(await skills()), text, budgetOf(config())),
    elsewhere: async () => {
      const settings = config();
      const isNamed = options.roots !== undefined || settings.roots !== undefined;
      if (isNamed || settings.get("skills.enabled") === false) return [];
      return countElsewhere((await skills()).catalog, place(settings));
    },
  };
  return engine;
}

function policyOf(settings: OpenedConfig): Partial<Policy> {
  return {
    collisions: settings.get("skills.collisions") as Policy["collisions"],
    unknownKeys: settings.get("skills.unknown_keys") as Policy["unknownKeys"],
    disabled: settings.get("skills.disabled") as string[],
    limits: { depth: settings.get("skills.max_depth") as number },
  };
}

function budgetOf(settings: OpenedConfig): number {
  return settings.get("skills.budget_tokens") as number;
}

function isAgent(name: string): name is Agent {
  return (agents as readonly string[]).includes(name);
}
