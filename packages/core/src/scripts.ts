import { asksForScript, entryFor } from "./allowed-tools.ts";
import { SkillError } from "./error.ts";
import type { Gatekeeper } from "./gatekeeper.ts";
import { parseGrant } from "./grant.ts";
import { digestOf, type LoadedSkills } from "./load.ts";
import { closestNames } from "./lookup.ts";
import type { ScriptApproval } from "./permissions.ts";
import { type Resource, type ResourceRequest, readResource, resourcePath } from "./resources.ts";
import type {
  Interpreter,
  Runner,
  RunnerState,
  SandboxName,
  ScriptFile,
  ScriptInput,
  ScriptOutcome,
  ScriptRequest,
} from "./runner.ts";
import type { Skill } from "./skill.ts";
import type { SkillRef } from "./source.ts";

/** What a script is given by who runs it. */
export interface RunOptions {
  readonly args?: readonly string[] | undefined;
  readonly stdin?: ScriptInput | undefined;
  /** Files that it finds in `$SKILL_INPUT`. */
  readonly inputs?: readonly ScriptFile[] | undefined;
  /** Doors of the sandbox that a person opens; those that were remembered unless given. */
  readonly grants?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What became of a script, whatever that was. */
export interface ScriptRun extends ScriptOutcome {
  readonly skill: Skill;
  readonly script: string;
  readonly interpreter: string;
  /** What the files that it left are read by, in this conversation. */
  readonly reference: string;
}

/** What running needs of a conversation. */
export interface Surroundings {
  readonly skills: LoadedSkills;
  readonly runner: Runner;
  readonly gate: Gatekeeper;
  /** Keeps what a script left, and gives it a name. */
  readonly book: { keep(skill: Skill, files: readonly ScriptFile[]): string };
  readonly operation: string;
  readonly warn: (message: string) => void;
}

const mostArgs = 100;
const mostCharacters = 4096;
const startBytes = 4096;

/** Runs one script of a skill, if everybody whose business it is lets it; throws only where it did not start. */
export async function runScript(
  about: Surroundings,
  skill: Skill,
  path: string,
  options: RunOptions = {},
): Promise<ScriptRun> {
  const { skills, runner, book, warn } = about;
  const { folders, allowedTools, workspace } = skills.policy.scripts;
  const { args = [], inputs = [], stdin, timeoutMs, signal } = options;
  const { sandbox } = await checkRunner(about, skill);
  checkArguments(args);
  const script = scriptPath(path, folders);
  const hashes = await skills.fileHashes(skill);
  if (!Object.hasOwn(hashes, script)) throw noScript(skill, script, folders, Object.keys(hashes));
  const { bytes: start } = await skills.readStart(skill, script, startBytes);
  const interpreter = runner.interpreterOf(script, start);
  checkAllowedTools(allowedTools, skill, script, interpreter, warn);
  const request = { script, interpreter, hashes, args, inputs };
  const { grants } = await approveRun(about, skill, { ...request, sandbox, grants: options.grants });
  const outcome = await runner.run({
    ...{ ...request, name: skill.name, dir: skill.dir, grants, stdin, timeoutMs, signal, workspace },
    read: (file) => skills.read(skill, file),
  });
  const reference = book.keep(skill, outcome.files);
  return { ...outcome, skill, script, interpreter: interpreter.name, reference };
}

/** What holds scripts in here; throws where none may run. */
export async function checkRunner({ skills, runner }: Surroundings, { name }: Skill): Promise<RunnerState> {
  if (skills.policy.scripts.mode === "off") {
    throw new SkillError("script-not-allowed", "Scripts are switched off (skills.scripts).", { name });
  }
  const state = await runner.check();
  if (state.problem !== undefined) throw new SkillError("unavailable", state.problem, { sandbox: state.sandbox });
  return state;
}

type RunToApprove = Pick<ScriptRequest, "script" | "interpreter" | "hashes" | "args" | "inputs"> & {
  readonly sandbox: SandboxName;
  readonly grants?: readonly string[] | undefined;
};

/** Asks whoever is to be asked; what comes back is what was allowed. */
export async function approveRun(
  { skills, gate, operation }: Surroundings,
  skill: Skill,
  { script, interpreter, hashes, args, inputs, sandbox, grants: given }: RunToApprove,
): Promise<{ readonly digest: string; readonly grants: readonly string[] }> {
  const digest = await digestOf(hashes);
  const grants = given ?? gate.grantsOf(operation, skill, digest);
  const approval: ScriptApproval = {
    ...{ script, hash: hashes[script] ?? "", digest, args, grants, sandbox, interpreter: interpreter.path },
    inputs: inputs.map((each) => each.path),
    touches: describeTouches(grants, skills.policy.scripts.workspace, inputs),
  };
  await gate.check({ tool: operation, skill, script: approval });
  return { digest, grants };
}

/** Why a run is no success, as a code and a sentence; undefined where it is one. */
export function failureOf(run: ScriptOutcome): { readonly code: string; readonly message: string } | undefined {
  if (run.timedOut) return { code: "script-timeout", message: `It was ended after ${run.durationMs} ms.` };
  if (run.ended !== undefined) return { code: "script-failed", message: endings[run.ended] };
  if (run.exitCode === 0) return undefined;
  const how = run.signal === null ? `status ${run.exitCode}` : run.signal;
  return { code: "script-failed", message: `It ended with ${how}.` };
}

const endings: Readonly<Record<NonNullable<ScriptOutcome["ended"]>, string>> = {
  timeout: "It took too long, and was ended.",
  output: "It wrote too much, and was ended.",
  memory: "It took too much memory, and was ended.",
  processes: "It started too many processes, and was ended.",
  files: "It left too much in its folder, and was ended.",
  abort: "It was broken off.",
};

/** The scripts of a skill that may be asked for. */
export async function listScripts(skills: LoadedSkills, skill: Skill): Promise<readonly string[]> {
  const { files } = await skills.files(skill);
  return files.map(({ path }) => path).filter((path) => isIn(path, skills.policy.scripts.folders));
}

/** One of the files that a script left, as a model reads it. */
export async function readLeft(
  { limits, policy }: LoadedSkills,
  { skill, files }: { readonly skill: Skill; readonly files: readonly ScriptFile[] },
  path: string,
  request: ResourceRequest,
): Promise<Resource> {
  const find = (name: string) => {
    const content = files.find((file) => file.path === name)?.content;
    if (content !== undefined) return content;
    const known = files.map((file) => file.path).join(", ") || "nothing";
    throw new SkillError("resource-not-found", `The script left no "${name}". It left: ${known}.`);
  };
  const read = async (_: SkillRef, name: string) => find(name);
  const readStart = async (_: SkillRef, name: string, bytes: number) => {
    return { bytes: find(name).subarray(0, bytes), size: find(name).length };
  };
  return readResource({ limits, policy, read, readStart }, skill, path, request);
}

function checkArguments(args: readonly string[]): void {
  const characters = args.reduce((sum, each) => sum + each.length, 0);
  if (args.some((each) => each.includes("\0"))) {
    throw new SkillError("invalid-input", "An argument holds a character that none can hold (NUL).");
  }
  if (args.length <= mostArgs && characters <= mostCharacters) return;
  const message = `${args.length} arguments with ${characters} characters are too many: at most ${mostArgs} with ${mostCharacters}. Give long input by stdin.`;
  throw new SkillError("invalid-input", message, { arguments: args.length, characters });
}

function scriptPath(path: string, folders: readonly string[]): string {
  const script = resourcePath(path);
  if (isIn(script, folders)) return script;
  const places = folders.map((folder) => `${folder}/`).join(", ");
  throw new SkillError("script-not-allowed", `"${script}" is no script: those of a skill lie in ${places}.`);
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === "" || path.startsWith(`${folder}/`));
}

function noScript({ name }: Skill, script: string, folders: readonly string[], files: readonly string[]): SkillError {
  const closest = closestNames(
    files.filter((path) => isIn(path, folders)),
    script,
  );
  const hint = closest.length === 0 ? "" : ` Closest: ${closest.join(", ")}.`;
  return new SkillError("resource-not-found", `"${name}" has no script "${script}".${hint}`, { name, closest });
}

function checkAllowedTools(
  mode: "ignore" | "log" | "enforce",
  { name, fields }: Skill,
  script: string,
  interpreter: Interpreter,
  warn: (message: string) => void,
): void {
  if (mode === "ignore" || asksForScript(fields.allowedTools ?? [], script, interpreter)) return;
  const missing = entryFor(script);
  if (mode === "log") {
    if (fields.allowedTools !== undefined) warn(`${name}: its allowed-tools do not ask for ${script}: ${missing}.`);
    return;
  }
  const message = `"${name}" does not ask for what ${script} needs: its allowed-tools lack ${missing}.`;
  throw new SkillError("script-not-allowed", message, { name, missing });
}

/** What a script may touch, for who is asked. */
function describeTouches(
  grants: readonly string[],
  workspace: "scratch" | "copy",
  inputs: readonly ScriptFile[],
): readonly string[] {
  const skill = workspace === "copy" ? "a copy of the skill's files" : "the skill's files, to read";
  const given = inputs.length === 0 ? [] : [`${inputs.length} files that it is given, to read`];
  const opened = grants.map(parseGrant).map((grant) => {
    if (grant.kind === "network") return "the network";
    return grant.kind === "env" ? `the variable ${grant.name}` : `${grant.path}, to ${grant.kind}`;
  });
  return [skill, "a scratch folder, to write", ...given, ...opened];
}
