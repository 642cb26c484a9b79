import { type Activation, activateSkill } from "./activate.ts";
import type { CatalogView } from "./choose-entries.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import { Gatekeeper } from "./gatekeeper.ts";
import { type Ledger, parseLedger } from "./ledger.ts";
import { LedgerBook, type Observation } from "./ledger-book.ts";
import type { LoadedSkills } from "./load.ts";
import { findOwner, findSkill, isForModels, isOneOf, narrowCatalog, tryFind } from "./lookup.ts";
import { findMentions, type Mentions } from "./mention.ts";
import { blankApproval, type Judgement, type PermissionRequest, type Permissions } from "./permissions.ts";
import type { Policy } from "./policy.ts";
import {
  type BinaryPolicy,
  isSkillFile,
  type LineRange,
  type Resource,
  readResource,
  resourcePath,
} from "./resources.ts";
import { RunBook } from "./run-book.ts";
import type { Runner } from "./runner.ts";
import { listScripts, type RunOptions, readLeft, runScript, type ScriptRun } from "./scripts.ts";
import type { SearchOptions, SearchResult } from "./search/search.ts";
import type { Skill } from "./skill.ts";
import type { OwnTool } from "./toolsets.ts";
import { matchTriggers, type TriggerMatch } from "./triggers.ts";
import { createWarnings } from "./warnings.ts";

/** A skill made ready in a conversation. */
export interface SessionActivation extends Activation {
  /** What reminders call it. */
  readonly reference: string;
  /** The same text is still in context: a reminder is enough. */
  readonly repeat: boolean;
}

export interface SessionActivateOptions {
  /** What the skill should work on. */
  readonly given?: string | undefined;
  /** The title of the only section that is wanted. */
  readonly section?: string | undefined;
  /** `person`: somebody called it by name, which is a yes, and may call what its author keeps from models. */
  readonly by?: "model" | "person";
  /** The active skill whose instructions say to load this one. */
  readonly from?: string | undefined;
}

/** One conversation's side of the skills: what a model may do with them, and a ledger of what it did. */
export interface Session {
  readonly policy: Policy;
  /** The skills that a model may know of, as they are now. */
  visible(): readonly Skill[];
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** The skills for a catalog, and those that a task is for. */
  view(task?: string): Promise<CatalogView>;
  /** The skills that a person calls in a message, and the message as a model should read it. */
  mentions(text: string): Mentions;
  /** The skills whose triggers a message matches, the strongest first; none where triggers are off. */
  triggered(text: string): Promise<readonly TriggerMatch[]>;
  /** Throws a `SkillError` that says why not. */
  activate(reference: string, options?: SessionActivateOptions): Promise<SessionActivation>;
  /** Says which text the model got for an activation, so that the ledger finds it again in messages. */
  keep(activation: SessionActivation, text: string): Promise<void>;
  /** A text that was kept, by its reference, also when the conversation no longer holds it. */
  output(reference: string): Promise<string | undefined>;
  /** One file of a skill, or that a script left, by the run's reference; throws where it may not be read. */
  read(reference: string, path: string, lines?: LineRange): Promise<Resource & { readonly skill: Skill }>;
  /** The same as it is, for who passes it on: whole, whatever kind it is. */
  readWhole(reference: string, path: string): Promise<Uint8Array>;
  /** Runs one script of a skill; throws only where it did not start. Absent where no runner was given. */
  run?(reference: string, script: string, options?: RunOptions): Promise<ScriptRun>;
  /** The scripts of a skill. */
  scripts(reference: string): Promise<readonly string[]>;
  /** Opens what the active skills bring of tools, where that is not done; gives what was refused, and why. */
  openToolsets(): Promise<readonly Diagnostic[]>;
  /** The tools that active skills bring themselves. */
  ownTools(): readonly OwnTool[];
  /** What would become of an operation on a skill, without asking anybody. */
  judge(operation: string, reference?: string): Judgement["verdict"];
  /** Whether a person has to say yes to a tool's call; present where rules ask and the session itself can ask nobody. */
  asks?(tool: string, input: unknown): Promise<boolean>;
  /** The same conversation where a person has said yes to what rules ask; what is denied stays denied. */
  approved(): Session;
  /** Asks for leave for an operation that is about no skill; throws where it may not be. */
  permit(operation: string): Promise<void>;
  /** Takes the messages as they are now: what they no longer hold is given again when it is asked for. */
  observe(messages: unknown): Promise<Observation>;
  /** What was done so far, to be stored: names and hashes, never texts. */
  ledger(): Ledger;
}

export interface SessionOptions {
  /** What becomes of files that are no text; they are refused unless it says otherwise. */
  readonly binary?: BinaryPolicy;
  /** What the instructions of a skill may cost; the rest is cut with a notice. */
  readonly bodyTokens?: number;
  /** Everything is allowed unless these say otherwise. */
  readonly permissions?: Permissions;
  /** `people` may use what an author keeps from models. */
  readonly audience?: "models" | "people";
  /** The only skills that exist for this conversation: names and patterns with `*`, or a test. */
  readonly only?: readonly string[] | ((skill: Skill) => boolean);
  /** Goes on with a stored conversation. */
  readonly ledger?: Ledger;
  /** `kept`: what was given counts as still in context, until `observe` says otherwise. Default: nobody knows. */
  readonly context?: "kept" | "unknown";
  /** Where given texts are kept by their references; in memory unless it says otherwise. */
  readonly outputs?: ToolOutputs;
  /** Runs scripts; without it none can. */
  readonly runner?: Runner;
  /** Hears, once for each file, of what a limit cut, and of scripts that a skill did not ask for. */
  readonly warn?: (message: string) => void;
}

/** Texts by reference, the oldest first. */
export type ToolOutputs = Map<string, string>;

// A conversation looks back so far and no further.
const mostOutputs = 100;

/** The operations that rules are about. */
export const operations = {
  search: "search_skills",
  activate: "activate_skill",
  read: "read_skill_resource",
  run: "run_skill_script",
} as const;

export function createSession(skills: LoadedSkills, options: SessionOptions = {}): Session {
  const book = new LedgerBook(options.ledger && parseLedger(options.ledger), options.context);
  return openSession(skills, options, book, options.outputs ?? new Map<string, string>(), new RunBook());
}

function openSession(
  skills: LoadedSkills,
  options: SessionOptions,
  book: LedgerBook,
  outputs: ToolOutputs,
  runs: RunBook,
): Session {
  const permissions: Permissions = { ...options.permissions, rules: options.permissions?.rules ?? [] };
  const { bodyTokens, audience = "models", binary, warn, only, runner } = options;
  const { policy } = skills;
  const asksForScripts = runner !== undefined && policy.scripts.mode === "ask";
  const confirm = [...policy.confirm, ...(asksForScripts ? [operations.run] : [])];
  const gate = new Gatekeeper(permissions, confirm, book, audience);
  const exists = isOneOf(only);
  const mayKnow = (skill: Skill) => exists(skill) && (audience === "people" || isForModels(skill));
  const catalog = () => (only === undefined ? skills.catalog : narrowCatalog(skills.catalog, exists));
  const visible = () => skills.catalog.skills.filter(mayKnow);
  const search = (query: string, asked: SearchOptions = {}) => {
    const limit = Math.min(asked.limit ?? policy.search.limit, policy.search.most);
    return skills.search(query, { ...asked, limit, accept: mayKnow });
  };
  const refresh = async () => void (policy.reload === "call" && (await skills.reload()));
  const resolve = (reference: string, by?: "person" | "model"): Skill => {
    const skill = findSkill(catalog(), reference);
    if (by === "person" || mayKnow(skill)) return skill;
    throw new SkillError("permission-denied", `"${skill.name}" says that only people may activate it.`);
  };
  const find = async (reference: string, ...tools: readonly string[]): Promise<Skill> => {
    await refresh();
    const skill = resolve(reference);
    for (const tool of tools) await gate.check({ tool, skill });
    return skill;
  };
  /** The skill whose file may be read: the instructions by another door are instructions, and a skill inside another is its own. */
  const findFor = async (reference: string, path: string): Promise<Skill> => {
    const skill = await find(reference, operations.read);
    const { owner, file } = findOwner(skills.catalog, skill, resourcePath(path));
    if (owner !== skill) await find(owner.path, operations.read);
    if (isSkillFile(file)) await gate.check({ tool: operations.activate, skill: owner });
    return skill;
  };
  const asks = async (tool: string, input: unknown): Promise<boolean> => {
    const { name, path, script, args } = Object(input) as Readonly<Record<string, unknown>>;
    if (typeof name !== "string") return gate.judge({ tool }).verdict === "ask";
    // What cannot be found is refused without anybody's yes.
    const skill = tryFind(() => resolve(name));
    if (skill === undefined) return false;
    if (tool === operations.run) {
      const digest = await skills.digest(skill);
      runs.ask(skill, String(script), Array.isArray(args) ? args.map(String) : [], digest);
      return gate.judge({ tool, skill, script: blankApproval(digest) }).verdict === "ask";
    }
    const isRead = tool === operations.read && typeof path === "string";
    const { owner, file } = isRead ? findOwner(skills.catalog, skill, path) : { owner: skill, file: "" };
    const tools = isSkillFile(file) ? [tool, operations.activate] : [tool];
    return tools.some((each) =>
      [skill, owner].some((about) => gate.judge({ tool: each, skill: about }).verdict === "ask"),
    );
  };
  const mayAsk = confirm.length > 0 || permissions.rules.some(({ decision }) => decision === "ask");
  const warnings = createWarnings(skills, warn);
  const running = runner && {
    ...{ skills, runner, gate, book: runs, operation: operations.run },
    warn: (text: string) => warnings.once(text, text),
  };
  return {
    policy,
    visible,
    search: async (query, asked) => {
      await refresh();
      await gate.check({ tool: operations.search });
      return search(query, asked);
    },
    view: async (task) => {
      const view = { skills: visible(), activated: book.names() };
      if (task === undefined) return view;
      const { hits } = await search(task);
      return { ...view, relevant: hits.map(({ skill }) => skill) };
    },
    mentions: (text) => findMentions(text, skills.catalog.skills.filter(exists), policy.mentions),
    triggered: async (text) => (policy.triggers === "off" ? [] : matchTriggers(text, visible())),
    activate: async (reference, { given, from, section, by } = {}) => {
      await refresh();
      const skill = resolve(reference, by);
      await gate.check({ tool: operations.activate, skill }, by);
      const chain = from === undefined ? [] : book.chainTo(skill, resolve(from));
      const activation = await activateSkill(skills, skill, { given, bodyTokens, section });
      warnings.ofCut(skill, skillFile, activation.removed);
      return { ...activation, ...book.activate(activation, { given, section }, chain) };
    },
    keep: async ({ reference }, text) => {
      outputs.set(reference, text);
      for (const oldest of [...outputs.keys()].slice(0, -mostOutputs)) outputs.delete(oldest);
      await book.keep(reference, text);
    },
    output: async (reference) => {
      const text = outputs.get(reference);
      const entry = book.ledger.activated.find((each) => each.reference === reference);
      if (text === undefined || entry === undefined) return undefined;
      // It was allowed once; what was denied since stays denied.
      await gate.check({ tool: operations.activate, skill: resolve(entry.path, "person") }, "person");
      return text;
    },
    read: async (reference, path, lines) => {
      const run = runs.get(reference);
      if (run !== undefined)
        return { skill: run.skill, ...(await readLeft(skills, run, path, { lines, ...(binary && { binary }) })) };
      const skill = await findFor(reference, path);
      const resource = await readResource(skills, skill, path, { lines, ...(binary && { binary }) });
      book.read(skill, resource.path);
      warnings.ofCut(skill, resource.path, resource.removed);
      return { skill, ...resource };
    },
    readWhole: async (reference, path) => {
      const skill = await findFor(reference, path);
      const file = resourcePath(path);
      const bytes = await skills.read(skill, file);
      book.read(skill, file);
      return bytes;
    },
    ...(running && {
      run: async (reference, script, asked) => {
        await refresh();
        return runScript(running, resolve(reference), script, asked);
      },
    }),
    openToolsets: async () => {
      if (running !== undefined) await runs.toolsets.openAll(running, book.ledger.activated);
      return runs.toolsets.problems();
    },
    ownTools: () => runs.toolsets.tools(),
    scripts: async (reference) => {
      await refresh();
      return listScripts(skills, resolve(reference));
    },
    judge: (tool, reference) => {
      return gate.judge({ tool, ...(reference !== undefined && { skill: resolve(reference) }) }).verdict;
    },
    ...(mayAsk && permissions.ask === undefined && { asks }),
    approved: () => {
      const ask = async ({ skill, script }: PermissionRequest) =>
        skill === undefined || script === undefined || runs.isAsAsked(skill, script);
      return openSession(skills, { ...options, permissions: { ...permissions, ask } }, book, outputs, runs);
    },
    permit: (tool) => gate.check({ tool }),
    observe: (messages) => book.observe(messages, skills),
    ledger: () => book.ledger,
  };
}
