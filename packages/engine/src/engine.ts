import { resolve, sep } from "node:path";
import {
  type Agent,
  agents,
  countElsewhere,
  type Diagnostic,
  type Gate,
  homeFolder,
  layoutRoots,
  openSkills,
  projectFolder,
  type Root,
  type Session,
  SkillError,
  type Skills,
} from "@skillholm/core";
import { toolOf } from "@skillholm/profiles/policies";
import {
  createAnswerStore,
  createCompatStore,
  createContentTrust,
  createDecisionLog,
  createTrustStore,
  createUsageStore,
  dataFolder,
  readServerKey,
  stateFolder,
  type UsageStore,
} from "@skillholm/store";
import { findChanges, judgeContent, trustContent } from "./content-gate.ts";
import type { Engine, EngineOptions } from "./engine-api.ts";
import { keepSkills } from "./keep-skills.ts";
import { type OpenedConfig, openConfig } from "./open-config.ts";
import { catalogLimits, policyOf } from "./policy.ts";
import type { Setup } from "./setup.ts";

export function createEngine(options: EngineOptions = {}): Engine {
  const env = options.env ?? process.env;
  const home = homeFolder(env);
  const cwd = resolve(options.cwd ?? process.cwd());
  const folder = stateFolder(env, home);
  const warn = options.warn ?? (() => undefined);
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
  const layoutOf = ({ profile: { layout, variables }, get }: OpenedConfig): readonly Root[] | undefined => {
    if (layout === undefined) return undefined;
    // Only a system that knows markers of its own lets others be named.
    const markers = layout.markers?.length ? { markers: get("skills.markers") as string[] } : {};
    const folder = variables?.project === undefined ? undefined : env[variables.project];
    return layoutRoots({ ...layout, ...markers }, { cwd, home, ...(folder && { project: resolve(cwd, folder) }) });
  };
  /** The folder that the profile's own chain of folders begins at. */
  const chainStart = () => layoutOf(config())?.find((root) => root.project !== undefined)?.project ?? project;
  const rootsOf = (settings: OpenedConfig): readonly Root[] | undefined => {
    const { links } = settings.profile;
    const layout = layoutOf(settings)?.map((root) => {
      // A project that chose the profile itself is trusted where a person said so, and nowhere else.
      const isOurs = settings.profileChosen || root.project === undefined;
      return isOurs ? root : { ...root, trusted: isTrusted(root.path) };
    });
    const roots = options.roots ?? settings.roots?.map(({ value }) => value) ?? layout;
    return links === undefined ? roots : roots?.map((root) => ({ ...root, links }));
  };
  /** All that the roots depend on, to see whether it is still the same. */
  const basisOf = ({ settings, roots, servers }: OpenedConfig) =>
    JSON.stringify([recall(() => trust.list(), []), recall(() => compat.list(), []), settings, roots, servers]);
  const open = async (): Promise<Skills> => {
    const settings = config();
    const policy = policyOf(settings, env);
    const isStrict = settings.get("skills.trust") === "content";
    const gate: Gate = async (skill, hashes) =>
      isStrict || skill.root.origin !== undefined ? judgeContent(contents, skill, await hashes()) : undefined;
    if (!policy.enabled) return openSkills({ roots: [], policy });
    const named = rootsOf(settings);
    // Who names the roots wants these and no others.
    const servers = options.roots === undefined ? settings.servers.map(({ value }) => value) : [];
    const remote = servers.length === 0 ? {} : { sources: (await import("./remote.ts")).remoteSources(servers, env) };
    const gated = isStrict || servers.length > 0 ? { gate } : {};
    const found = named ? { roots: named } : place(settings);
    return openSkills({ ...found, policy, ...gated, ...remote });
  };
  const kept = keepSkills({
    open,
    decided: () => basisOf(config()),
    isGated: () => config().get("skills.trust") === "content",
  });
  const { get: skills, forget } = kept;
  const freshSkills = async (): Promise<Skills> => {
    problems.length = 0;
    return kept.fresh();
  };
  /** A model's side of the skills, with the rules as they are now. */
  const session = async (found: Skills): Promise<Session> => {
    const { openSession } = await import("./operate.ts");
    return openSession(found, await setup());
  };
  /** A conversation, one that a file keeps, or a new one. */
  const sessionOf = async (given: Session | string | undefined): Promise<Session> => {
    if (typeof given !== "string") return given ?? session(await skills());
    const { openSession } = await import("./operate.ts");
    const { openSessionFile } = await import("./session-file.ts");
    const { ledger, outputs } = openSessionFile(given);
    return openSession(await skills(), await setup(), undefined, { outputs, ...(ledger && { ledger }) });
  };
  const answers = createAnswerStore(folder);
  const decisions = createDecisionLog(folder);
  const setup = async (): Promise<Setup> => {
    const { setupOf } = await import("./setup.ts");
    const settings = config();
    const { name: profile } = settings.profile;
    return setupOf({
      settings,
      env,
      cwd,
      closed: [folder, dataFolder(env, home), ...settings.files.map(({ path }) => path)],
      answers: recall(() => answers.list(), []),
      remember: async ({ tool, skill, script }) => {
        const own = skill && { skill_name: skill.name };
        const files = script && { digest: script.digest, grants: script.grants };
        await answers.add({ decision: "allow", tool: toolOf(profile, tool), ...own, ...files });
      },
      log: (decision) => {
        void decisions.add([{ profile, ...decision }]).then((problem) => problem && warn(problem));
      },
      warn,
    });
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
    reloadSkills: kept.reload,
    watch: kept.watch,
    serverKey: () => readServerKey(folder),
    model: { id: "guide", languageModel: false },
    changes: async (skill) => {
      const isStrict = config().get("skills.trust") === "content";
      return isStrict && skill.root.project !== undefined ? findChanges(contents, await skills(), skill) : [];
    },
    trustContents: async (path) => {
      if (config().get("skills.trust") !== "content") return;
      const found = await kept.reload();
      const all = [...found.catalog.skills, ...found.catalog.hidden.flatMap(({ skill }) => skill ?? [])];
      for (const skill of all) {
        const isOurs = skill.root.project !== undefined && `${skill.realPath}${sep}`.startsWith(`${path}${sep}`);
        if (isOurs && skill.root.trusted) await trustContent(contents, found, skill);
      }
      forget(undefined);
    },
    approveServer: async (path) => {
      const { approveServer } = await import("./remote.ts");
      return forget(await approveServer(await kept.reload(), contents, path));
    },
    prompt: async ({ budget, session: given, ...asked } = {}) => {
      const { writePrompt } = await import("./prompt.ts");
      const limits = catalogLimits(config(), env, budget);
      const about = { setup: await setup(), session: await sessionOf(given) };
      return writePrompt({ ...about, usage, limits, project: chainStart(), ...asked });
    },
    entryTokens: async (skill) => (await import("./prompt.ts")).countEntry((await setup()).profile, skill),
    load: async (reference, asked) => {
      const { loadSkill } = await import("./operate.ts");
      return loadSkill(await skills(), await setup(), reference, asked);
    },
    read: async (reference, path, asked) => {
      const { readSkillFile } = await import("./operate.ts");
      return readSkillFile(await skills(), await setup(), reference, path, asked);
    },
    run: async (reference, script, asked) => {
      const { runSkillScript } = await import("./operate.ts");
      return runSkillScript(await skills(), await setup(), reference, script, asked);
    },
    sandbox: async () => (await setup()).session.runner?.check() ?? { sandbox: "none" },
    isUnsandboxed: async () => {
      // Looked for only where it could be so: the first page needs nothing of all that.
      if (recall(() => config().get("skills.sandbox"), "required") !== "none") return false;
      const { sandbox, problem } = await engine.sandbox();
      return sandbox === "none" && problem === undefined;
    },
    ownListing: async () => {
      const settings = config();
      if (!settings.profile.hasListing) return undefined;
      if (settings.get("skills.enabled") === false) return { enabled: false };
      const { describe } = await import("./own-listing.ts");
      return {
        enabled: true,
        scannedAt: kept.scannedAt().toISOString(),
        ...describe(settings.profile.name, (await skills()).catalog),
      };
    },
    roots: () => rootsOf(config()),
    tools: async () => {
      const { listTools } = await import("./operate.ts");
      return listTools(await skills(), await setup());
    },
    callTool: async (call, asked = {}) => {
      const { callTool } = await import("./operate.ts");
      return callTool(await skills(), await setup(), call, asked);
    },
    answers,
    decisions,
    rpc: async (version, clients = "one") => {
      const { createRpc } = await import("./rpc.ts");
      const { openConversation } = await import("./operate.ts");
      // What is there at the start is what some systems keep to.
      await freshSkills();
      const conversation = openConversation({ skills: freshSkills, setup, clients });
      const own = { ...engine, project: chainStart() };
      return createRpc(own, version, conversation, (place) => createEngine({ ...options, cwd: place }));
    },
    mcp: async (asked) =>
      (await import("./mcp.ts")).createMcp({ skills: freshSkills, setup, watch: kept.watch, ...asked }),
    mcpServing: async (skill) => (await (await import("@skillholm/mcp")).buildEntry(await skills(), skill)).serving,
    chats: async () => {
      const { openChats } = await import("./chats.ts");
      const fresh = async () => session(await freshSkills());
      const limits = catalogLimits(config(), env);
      return openChats({ session: fresh, folder: dataFolder(env, home), limits, usage });
    },
    ask: async (text) => {
      const { ask } = await import("./ask.ts");
      return ask(await session(await skills()), text, catalogLimits(config(), env));
    },
    elsewhere: async () => {
      const settings = config();
      const isNamed = options.roots !== undefined || settings.roots !== undefined;
      if (isNamed || settings.profile.layout !== undefined || settings.get("skills.enabled") === false) return [];
      return countElsewhere((await skills()).catalog, place(settings));
    },
  };
  return engine;
}

function isAgent(name: string): name is Agent {
  return (agents as readonly string[]).includes(name);
}
