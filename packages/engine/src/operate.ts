import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  countTokens,
  createSession,
  type Ledger,
  type Permissions,
  parseLines,
  type RunOptions,
  type ScriptFile,
  type Session,
  type SessionOptions,
  SkillError,
  type Skills,
} from "@skillholm/core";
import type { ToolCall } from "@skillholm/profiles";
import { waitForLock } from "@skillholm/store";
import {
  type ActivationOutput,
  describeActivation,
  describeRun,
  nameForWire,
  type ResourceOutput,
  type ScriptOutput,
  type SkillTool,
  type ToolResult,
} from "@skillholm/tools";
import { openSessionFile } from "./session-file.ts";
import type { Setup } from "./setup.ts";

/** How a request is made. */
export interface RequestOptions {
  /** A file that keeps the ledger between calls. */
  readonly session?: string | undefined;
  /** The conversation as it is now; what it no longer holds is given again. */
  readonly messages?: unknown;
  /** A person's answer to what a rule would ask; without one nobody can be asked. */
  readonly answer?: "once" | "session" | "always" | undefined;
}

type Opened = Pick<SessionOptions, "audience" | "ledger" | "outputs" | "context">;

/** A model's side of the skills, with what was decided about it; without `ask`, what needs asking is refused. */
export function openSession(skills: Skills, setup: Setup, ask?: Permissions["ask"], opened: Opened = {}): Session {
  const { rules, remember, log, nameOf } = setup;
  return createSession(skills, {
    ...setup.session,
    ...opened,
    permissions: { rules, remember, log, nameOf, ...(ask && { ask }) },
  });
}

/** Does something in a conversation that goes on from where its file left it. */
async function inSession<T>(
  skills: Skills,
  setup: Setup,
  options: RequestOptions & { readonly audience?: "people"; readonly ask?: Permissions["ask"] },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (options.session !== undefined && !existsSync(dirname(options.session))) {
    throw new SkillError("invalid-input", `--session: there is no folder ${dirname(options.session)}`);
  }
  // Two at once on one file: the second goes on from where the first ends.
  const release = options.session === undefined ? undefined : await waitForLock(`${options.session}.lock`);
  try {
    return await inOpenSession(skills, setup, options, work);
  } finally {
    release?.();
  }
}

async function inOpenSession<T>(
  skills: Skills,
  setup: Setup,
  options: RequestOptions & { readonly audience?: "people"; readonly ask?: Permissions["ask"] },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { answer, audience } = options;
  const file = options.session === undefined ? undefined : openSessionFile(options.session);
  const kept = file && { outputs: file.outputs, context: "kept" as const, ...(file.ledger && { ledger: file.ledger }) };
  const ask = answer === undefined ? options.ask : async () => answer;
  const session = openSession(skills, setup, ask, { ...kept, ...(audience && { audience }) });
  if (options.messages !== undefined) await session.observe(options.messages);
  try {
    return await work(session);
  } finally {
    file?.save(session.ledger());
  }
}

// Who types the command says yes by it; a rule that denies stands.
const byPerson = { answer: "once", audience: "people" } as const;

export interface LoadRequest extends RequestOptions {
  /** What the skill should work on. */
  readonly given?: string | undefined;
  /** The title of the only section that is wanted. */
  readonly section?: string | undefined;
}

/** What a person gets of a skill, also of one that its author keeps for people: in the profile's own shape. */
export async function loadSkill(
  skills: Skills,
  setup: Setup,
  reference: string,
  { given, section, ...options }: LoadRequest = {},
): Promise<ToolResult> {
  return inSession(skills, setup, { ...options, ...byPerson }, async (session) => {
    const { profile } = setup;
    if (given !== undefined && profile.takesArguments !== true) {
      throw new SkillError("invalid-input", `--args: skills take no arguments in the profile ${profile.name}.`);
    }
    if (section !== undefined && !profile.givesSections) {
      throw new SkillError("invalid-input", `--section: the profile ${profile.name} gives a skill whole.`);
    }
    if (profile.loadCall !== undefined)
      return orThrow(await callIn(session, forPeople(setup), profile.loadCall(reference, given)));
    const activation = await session.activate(reference, { given, section });
    // Profiles that give the whole file as it is have no shape around it, and no reminder.
    const isShaped = profile.givesSections === true;
    const output = describeActivation({ ...activation, repeat: activation.repeat && isShaped });
    const content = isShaped ? output.content : activation.file;
    if (!activation.repeat) await session.keep(activation, content);
    const structured: ActivationOutput = { ...output, content, tokens: countTokens(content) };
    return { isError: false, text: content, structured };
  });
}

/** One file of a skill; `lines` as `10-40`. */
export async function readSkillFile(
  skills: Skills,
  setup: Setup,
  reference: string,
  path: string,
  { lines, ...options }: RequestOptions & { readonly lines?: string | undefined } = {},
): Promise<ToolResult> {
  return inSession(skills, setup, { ...options, ...byPerson }, async (session) => {
    const range = lines === undefined ? undefined : parseLines(lines);
    const { profile } = setup;
    if (profile.readCall !== undefined && range === undefined) {
      return orThrow(await callIn(session, forPeople(setup), profile.readCall(reference, path)));
    }
    const { skill, ...resource } = await session.read(reference, path, range);
    const structured: ResourceOutput = { name: skill.name, ...resource };
    if (profile.readCall === undefined) return { isError: false, text: resource.content, structured };
    const shaped = { name: skill.name, path: resource.path, content: resource.content };
    return { isError: false, text: JSON.stringify(shaped), structured: shaped };
  });
}

function forPeople(setup: Setup): Setup {
  return { ...setup, host: { ...setup.host, forPeople: true } };
}

export interface RunRequest extends RunOptions, RequestOptions {
  /** Asks a person, where there is one. */
  readonly ask?: Permissions["ask"];
}

/** What became of a script, and the files that it left. */
export interface RunReport {
  readonly output: ScriptOutput;
  readonly files: readonly ScriptFile[];
}

/** Runs one script of a skill for a person; who types the command is asked all the same, since it is the skill that acts. */
export async function runSkillScript(
  skills: Skills,
  setup: Setup,
  reference: string,
  script: string,
  { session, messages, answer, ask, ...options }: RunRequest = {},
): Promise<RunReport> {
  return inSession(skills, setup, { session, messages, answer, ask, audience: "people" }, async ({ run }) => {
    if (run === undefined) throw new SkillError("unavailable", "Nothing here can run scripts.");
    const done = await run(reference, script, options);
    return { output: describeRun(done), files: done.files };
  });
}

/** People hear of a refusal as everywhere; only a model gets it in the profile's words. */
function orThrow(result: ToolResult): ToolResult {
  if (result.error !== undefined) throw result.error;
  return result;
}

/** Calls one tool of the profile exactly as a model would. */
export async function callTool(
  skills: Skills,
  setup: Setup,
  call: ToolCall,
  options: RequestOptions,
): Promise<ToolResult> {
  return inSession(skills, setup, options, async (session) => {
    // What an active skill brings of tools is known once it was asked.
    await session.openToolsets();
    return callIn(session, setup, call);
  });
}

/** A conversation that goes on as long as the program does, over the skills and rules as they are at each call. */
export interface Conversation {
  session(): Promise<Session>;
  call(name: string, input: unknown): Promise<object>;
}

interface ConversationInput {
  skills(): Promise<Skills>;
  setup(): Promise<Setup>;
  /** `one`: what was given counts as kept, where its models can ask for it again. `many`: nobody knows who has what. */
  readonly clients: "one" | "many";
}

export function openConversation({ skills, setup, clients }: ConversationInput): Conversation {
  const outputs = new Map<string, string>();
  let ledger: Ledger | undefined;
  const open = async () => {
    const now = await setup();
    const context = clients === "one" && now.profile.givesAgain === true ? "kept" : "unknown";
    const session = openSession(await skills(), now, undefined, { context, outputs, ...(ledger && { ledger }) });
    return { session, setup: now };
  };
  return {
    session: async () => (await open()).session,
    call: async (name, input) => {
      const opened = await open();
      await opened.session.openToolsets();
      const { structured } = await callIn(opened.session, opened.setup, { name, input });
      ledger = opened.session.ledger();
      return structured;
    },
  };
}

/** The tools that a model is offered. */
export function listTools(skills: Skills, { profile, host, ...setup }: Setup): readonly SkillTool[] {
  const session = openSession(skills, { profile, host, ...setup });
  const tools = profile.createTools(session, host);
  // No skills, no tools; only a tool that reads other files too is of use then.
  return session.visible().length === 0 && !profile.readsAnyFile ? [] : tools;
}

async function callIn(session: Session, { profile, host }: Setup, { name, input }: ToolCall): Promise<ToolResult> {
  const tools = profile.createTools(session, host);
  // By its own name, or by the one that goes over the wire.
  const tool = tools.find((each) => each.name === name) ?? nameForWire(tools).get(name);
  if (tool !== undefined) return tool.call(input);
  const known = tools.map((each) => each.name).join(", ");
  const hint = known === "" ? "There are no skills, so that there are no tools." : `Known: ${known}.`;
  throw new SkillError("invalid-input", `There is no tool "${name}". ${hint}`);
}
