/** What holds a script in. */
export type SandboxName = "bubblewrap" | "seatbelt" | "none";

/** Whether scripts can run here. */
export interface RunnerState {
  readonly sandbox: SandboxName;
  /** Why none can, and what to do about it. */
  readonly problem?: string;
}

/** What a script is run with. */
export interface Interpreter {
  /** As people call it: `python`. */
  readonly name: string;
  readonly path: string;
  /** What stands before the script on its command line. */
  readonly args: readonly string[];
}

/** A file that a script is given, or that it left. */
export interface ScriptFile {
  /** A plain name for an input; relative with `/` for what was left. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** What a script reads: a text, bytes, or a descriptor of the caller's that is handed on as it is. */
export type ScriptInput = string | Uint8Array | { readonly handle: number };

/** One script, and all that it is given. Whoever asks has decided already that it may run. */
export interface ScriptRequest {
  readonly name: string;
  /** The skill's own path, where the script finds its skill again. */
  readonly dir: string;
  /** Relative to the skill's folder, with `/`. */
  readonly script: string;
  readonly interpreter: Interpreter;
  /** sha256 of every file of the skill, as it was approved; what reads otherwise is refused. */
  readonly hashes: Readonly<Record<string, string>>;
  read(file: string): Promise<Uint8Array>;
  /** `copy`: the skill's folder is a fresh copy that the script may change. */
  readonly workspace: "scratch" | "copy";
  readonly args: readonly string[];
  readonly stdin?: ScriptInput | undefined;
  readonly inputs: readonly ScriptFile[];
  /** Doors that a person opened: `network`, `read:DIR`, `write:DIR`, `env:NAME`. */
  readonly grants: readonly string[];
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What became of a script that started. */
export interface ScriptOutcome {
  /** Null where it was ended. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** A limit cut what it said or left. */
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly timedOut: boolean;
  readonly sandbox: SandboxName;
  /** Why it was ended before its own end. */
  readonly ended?: "timeout" | "output" | "memory" | "processes" | "files" | "abort";
  /** What it left in its scratch folder. */
  readonly files: readonly ScriptFile[];
}

/** The port through which scripts run. No runner passed in means that none can. */
export interface Runner {
  check(): Promise<RunnerState>;
  /** By the first line or the ending of the script; throws where there is none that may be used. */
  interpreterOf(script: string, start: Uint8Array): Interpreter;
  /** What loads a skill's module and answers for its tools: JSON-RPC on its streams, the export as its argument. */
  toolsetHost(): Interpreter;
  /** Throws only where the script did not start. */
  run(request: ScriptRequest): Promise<ScriptOutcome>;
}
