import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Runner, type RunnerState, type ScriptOutcome, type ScriptRequest, SkillError } from "@skillholm/core";
import { parseGrant } from "@skillholm/core/dialect";
import { bubblewrapArgs, inside, insidePath, isMountable, nobody } from "./bubblewrap.ts";
import { chooseInterpreter, findProgram } from "./interpreter.ts";
import { defaultRunLimits, longestTimeoutMs, type RunLimits } from "./limits.ts";
import { collectOutput, layRunFolder, type RunFolder } from "./run-folder.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import { buildFilter, hasFilter } from "./seccomp.ts";
import { type Command, type Ending, supervise } from "./supervise.ts";
import { toolsetHost } from "./toolset-host.ts";

export interface RunnerOptions {
  readonly limits?: Partial<RunLimits>;
  /** Where granted variables come from. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `untested`: also one that nobody has tested. `none`: without one, where none can be had. */
  readonly sandbox?: "required" | "untested" | "none" | undefined;
  /** Where programs are looked for. */
  readonly folders?: readonly string[];
}

const systemFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];

/** Runs scripts with nothing that was not given. */
export function createScriptRunner(options: RunnerOptions = {}): Runner {
  const { sandbox: wanted = "required", folders = systemFolders, env = process.env } = options;
  const limits = { ...defaultRunLimits, ...options.limits };
  let known: Promise<RunnerState> | undefined;
  const check = () => {
    known ??= findSandbox(folders, wanted);
    return known;
  };
  return {
    check,
    interpreterOf: (script, start) => chooseInterpreter(script, start, folders),
    toolsetHost,
    run: async (request) => {
      const { sandbox, problem } = await check();
      if (problem !== undefined) throw new SkillError("unavailable", problem, { sandbox });
      return runIn(sandbox, request, { limits, env, folders });
    },
  };
}

interface Surroundings {
  readonly limits: RunLimits;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: readonly string[];
}

/** What there is, by really trying it. */
async function findSandbox(folders: readonly string[], wanted: RunnerOptions["sandbox"]): Promise<RunnerState> {
  const problem = await tryOut(folders, wanted);
  const sandbox = process.platform === "darwin" ? "seatbelt" : "bubblewrap";
  if (problem === undefined) return { sandbox };
  return wanted === "none" ? { sandbox: "none" } : { sandbox: "none", problem };
}

async function tryOut(folders: readonly string[], wanted: RunnerOptions["sandbox"]): Promise<string | undefined> {
  if (process.platform === "darwin") {
    if (wanted === "untested" && findProgram(["sandbox-exec"], [...folders, "/usr/bin"]) !== undefined)
      return undefined;
    return 'Scripts are not run on macOS: its sandbox is untested here. skills.sandbox = "untested" in your own configuration uses it.';
  }
  if (process.platform !== "linux") return `Scripts are not run on ${process.platform}: there is no sandbox for it.`;
  if (!hasFilter(process.arch)) return `Scripts are not run on ${process.arch}: no system calls can be filtered there.`;
  for (const [program, name] of needed) {
    if (findProgram([program], folders) === undefined) {
      return `Scripts need a sandbox: install the package "${name}" (apt install ${name}), which brings ${program}.`;
    }
  }
  const empty = { name: "", dir: "/skill", script: "true", hashes: {}, read: async () => new Uint8Array() };
  const interpreter = { name: "sh", path: "/bin/sh", args: ["-c", "exit 0"] };
  const request = { ...empty, interpreter, workspace: "scratch", args: [], inputs: [], grants: [] } as const;
  const limits = { ...defaultRunLimits, timeoutMs: 10_000 };
  try {
    const { exitCode, stderr } = await runIn("bubblewrap", request, { limits, env: {}, folders });
    return exitCode === 0 ? undefined : `${broken} ${stderr.trim()}`;
  } catch (error) {
    return `${broken} ${(error as Error).message}`;
  }
}

const broken =
  "Scripts need a sandbox, and bubblewrap does not work here: allow user namespaces (in a container by its settings, else kernel.unprivileged_userns_clone, user.max_user_namespaces or AppArmor).";

const needed = [
  ["bwrap", "bubblewrap"],
  ["prlimit", "util-linux"],
  ["setpriv", "util-linux"],
  ["mkfifo", "coreutils"],
] as const;

async function runIn(
  sandbox: RunnerState["sandbox"],
  request: ScriptRequest,
  { limits, env, folders }: Surroundings,
): Promise<ScriptOutcome> {
  const grants = request.grants.map(parseGrant);
  const hasFolders = grants.some((grant) => "path" in grant);
  // As root a script is nobody, except where it is given folders: those are root's, and so must be who uses them.
  const owner = process.getuid?.() === 0 && sandbox === "bubblewrap" && !hasFolders ? nobody : undefined;
  if (sandbox === "bubblewrap" && !isMountable(request.dir)) {
    throw new SkillError("unavailable", `A skill in ${request.dir} cannot be put into the sandbox.`);
  }
  const folder = await layRunFolder(request, limits, owner);
  let filter: number | undefined;
  try {
    const granted = grants.flatMap((grant) => (grant.kind === "env" ? [[grant.name, env[grant.name] ?? ""]] : []));
    const places = sandbox === "bubblewrap" ? { dir: request.dir, ...inside } : outside(request, folder);
    const command: Command = {
      program: "",
      args: [],
      env: { ...environment(request, places), ...Object.fromEntries(granted) },
      cwd: sandbox === "bubblewrap" ? "/" : places.dir,
      stdin: request.stdin,
      folder: folder.path,
      output: folder.output,
      timeoutMs: Math.min(request.timeoutMs ?? limits.timeoutMs, longestTimeoutMs),
      signal: request.signal,
    };
    const { interpreter, script, args, dir, workspace } = request;
    const node = chooseInterpreter("x.js", new Uint8Array(), folders).path;
    let ending: Ending;
    if (sandbox === "bubblewrap") {
      filter = openFilter(
        folder,
        grants.some(({ kind }) => kind === "network"),
      );
      const bwrap = findProgram(["bwrap"], folders) ?? "bwrap";
      const layout = { bwrap, folder, dir, workspace, node, grants: request.grants, limits, owner };
      const line = [insidePath(interpreter), ...interpreter.args, ...(request.name === "" ? [] : [join(dir, script)])];
      ending = await supervise(
        { ...command, program: bwrap, args: bubblewrapArgs(layout, [...line, ...args]), filter },
        limits,
      );
    } else {
      const line = [interpreter.path, ...interpreter.args, join(folder.skill, script), ...args];
      const profile = seatbeltProfile({ ...folder, node, workspace, grants: request.grants });
      const [program = "", ...rest] = sandbox === "seatbelt" ? ["sandbox-exec", "-p", profile, ...line] : line;
      ending = await supervise({ ...command, program, args: rest }, limits);
    }
    const { started, ...outcome } = ending;
    if (!started) throw new SkillError("unavailable", `The sandbox could not be made: ${outcome.stderr.trim()}.`);
    const left = collectOutput(folder.output, limits);
    return { ...outcome, truncated: outcome.truncated || left.truncated, sandbox, files: left.files };
  } finally {
    if (filter !== undefined) closeSync(filter);
    folder.remove();
  }
}

function openFilter(folder: RunFolder, network: boolean): number {
  const path = join(folder.path, "filter");
  writeFileSync(path, buildFilter(process.arch, network));
  return openSync(path, "r");
}

interface Places {
  readonly dir: string;
  readonly input: string;
  readonly output: string;
  readonly bin: string;
}

/** Without a sandbox nothing can be put elsewhere: the private copy is where it is. */
function outside(_: ScriptRequest, { skill, input, output }: RunFolder): Places {
  return { dir: skill, input, output, bin: "" };
}

/** All that a script gets of an environment. */
function environment({ name, args }: ScriptRequest, { dir, input, output, bin }: Places): Record<string, string> {
  return {
    PATH: [bin, "/usr/local/bin", "/usr/bin", "/bin"].filter(Boolean).join(":"),
    HOME: bin === "" ? output : "/tmp",
    TMPDIR: bin === "" ? output : "/tmp",
    LANG: "C.UTF-8",
    SKILL_NAME: name,
    SKILL_DIR: dir,
    SKILL_ARGS: JSON.stringify(args),
    SKILL_INPUT: input,
    SKILL_OUTPUT: output,
  };
}
