import { statSync } from "node:fs";
import { resolve } from "node:path";
import { closestNames, type Root, type Scope, SkillError, type Skills, scopes } from "@skillholm/core";
import { createEngine, type Engine, profileNames } from "@skillholm/engine";
import { createTerminal, harmless, type Terminal, withProgress } from "./terminal.ts";

/** The options that every command takes. */
export interface GlobalOptions {
  readonly root?: readonly string[];
  readonly cwd?: string;
  readonly profile?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly debug?: boolean;
}

/** What a command works with. */
export interface Context {
  readonly engine: Engine;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** Shows where an error came from. */
  readonly debug: boolean;
  /** The person named the roots, so that advice about the usual places does not apply. */
  readonly ownRoots: boolean;
  /** The same for programs that may ask from anywhere: without `--cwd` there is no project, only the user's own skills. */
  withoutProject(): Engine;
  /** The options that decide about skills, as they would be typed from any folder. */
  readonly given: readonly string[];
  skills(): Promise<Skills>;
}

export function createContext(options: GlobalOptions): Context {
  const cwd = existingFolder("--cwd", resolve(workingFolder(), options.cwd ?? "."));
  const roots = options.root?.map((text) => parseRoot(text, cwd));
  const terminal = createTerminal({ color: options.color !== false });
  const config = options.config === undefined ? undefined : resolve(cwd, options.config);
  const profile = options.profile === undefined ? undefined : checkProfile(options.profile);
  const open = (place: string) =>
    createEngine({
      cwd: place,
      warn: (message) => terminal.note(harmless(message)),
      ...(roots && { roots }),
      ...(config !== undefined && { config }),
      ...(profile !== undefined && { flags: { profile } }),
    });
  const engine = open(cwd);
  return {
    engine,
    terminal,
    json: options.json === true,
    debug: options.debug === true,
    ownRoots: roots !== undefined,
    withoutProject: () => (options.cwd === undefined ? open(engine.home) : engine),
    given: [
      ...(roots ?? []).flatMap(({ path, scope }) => ["--root", `${path}=${scope}`]),
      ...(options.cwd === undefined ? [] : ["--cwd", cwd]),
      ...(profile === undefined ? [] : ["--profile", profile]),
      ...(config === undefined ? [] : ["--config", config]),
    ],
    skills: () => withProgress("Looking for skills…", engine.skills()),
  };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new SkillError("invalid-input", "The working directory is no longer there. Go to another, or give --cwd.");
  }
}

function checkProfile(profile: string): string {
  if (profileNames.includes(profile)) return profile;
  const [near] = closestNames(profileNames, profile, 1);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new SkillError("invalid-input", `There is no profile "${profile}". Known: ${profileNames.join(", ")}.${hint}`);
}

/** `DIR` or `DIR=scope`. A root that a person names is trusted. */
function parseRoot(text: string, cwd: string): Root {
  if (text === "") throw new SkillError("invalid-input", "--root: an empty text names no folder");
  const at = text.lastIndexOf("=");
  const suffix = text.slice(at + 1);
  const literal = isFolder(resolve(cwd, text)) && !isFolder(resolve(cwd, text.slice(0, Math.max(0, at))));
  const named = at > 0 && (scopes as readonly string[]).includes(suffix) && !literal;
  if (at > 0 && !named && !isFolder(resolve(cwd, text))) throw wrongScope(suffix);
  const scope = named ? (suffix as Scope) : "project";
  return {
    path: existingFolder("--root", resolve(cwd, named ? text.slice(0, at) : text)),
    scope,
    trusted: true,
    writable: scope === "project" || scope === "user",
    links: scope === "user" ? "anywhere" : "inside",
  };
}

function wrongScope(scope: string): SkillError {
  const [near] = closestNames(scopes, scope, 1);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new SkillError("invalid-input", `--root: "${scope}" is no scope. Known: ${scopes.join(", ")}.${hint}`);
}

function existingFolder(option: string, path: string): string {
  if (isFolder(path)) return path;
  throw new SkillError("invalid-input", `${option}: there is no folder ${path}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
