import { dirname, isAbsolute, join, sep } from "node:path";
import { SkillError } from "@skillholm/core";
import { type ProfilePolicy, profilePolicies, remcochatProfile, standardProfile } from "@skillholm/profiles/policies";
import { type Config, type ConfigInput, resolveConfig, resolveProfile } from "./config.ts";
import { type ConfigFile, parseToml, readConfigFile } from "./config-file.ts";
import type { ConfigValue } from "./config-keys.ts";
import { readBounded } from "./config-read.ts";
import { defaultsOf, mergeFiles, readAppConfig } from "./profile-config.ts";

export interface OpenConfigOptions {
  readonly cwd: string;
  /** The project's folder: a file is looked for from `cwd` up to it. */
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  isTrusted(folder: string): boolean;
  /** In place of the project's file. */
  readonly file?: string | undefined;
  readonly flags?: Readonly<Record<string, ConfigValue>>;
}

/** The configuration, and the files that were looked for. */
export interface OpenedConfig extends Config {
  readonly files: readonly { readonly path: string; readonly exists: boolean; readonly trusted: boolean }[];
  readonly profile: ProfilePolicy;
  /** By a flag, the environment or the user's own file, and not by a project. */
  readonly profileChosen: boolean;
  /** The value of one key. */
  get(key: string): ConfigValue;
  /** The same, where somebody said something; undefined for a default. */
  said(key: string): ConfigValue | undefined;
}

const fileName = "skillholm.toml";
const appFileName = "config.toml";

/** Reads every configuration file and works out what counts. */
export function openConfig(options: OpenConfigOptions): OpenedConfig {
  const { home, env } = options;
  const userPath = userConfigPath(env, home);
  const user = readConfigFile(userPath);
  const own = readProjectFiles(options, undefined);
  const chosen = resolveProfile(inputOf(own, options, user, {}));
  const profile = profilePolicies[String(chosen.value)] ?? standardProfile;
  if (options.file !== undefined && profile !== remcochatProfile && isAppConfig(options.file)) {
    const advice = "choose it with --profile remcochat";
    throw new SkillError("invalid-input", `${options.file}: [app.skills] is of the profile remcochat; ${advice}.`);
  }
  // Who chooses a profile without a trust step trusts the project by it; a project that chooses one trusts nobody.
  const isChosen = profile !== standardProfile && chosen.from !== "default" && chosen.from !== "project";
  const project = profile === remcochatProfile ? readProjectFiles(options, profile, isChosen) : own;
  const input = inputOf(project, options, user, defaultsOf(profile), isChosen);
  const resolved = resolveConfig(input);
  // What was chosen, also where the project would now be heard.
  const settings = resolved.settings.map((each) => (each.key === chosen.key ? chosen : each));
  const config = { ...resolved, settings };
  const find = (key: string) => {
    const setting = config.settings.find((each) => each.key === key);
    if (setting === undefined) throw new SkillError("invalid-input", `There is no setting "${key}".`);
    return setting;
  };
  const projectPath = project?.path ?? join(options.project, fileName);
  const files = [
    { path: userPath, exists: user !== undefined, trusted: true },
    { path: projectPath, exists: project !== undefined, trusted: input.projectTrusted },
  ];
  return {
    ...config,
    files,
    profile,
    profileChosen: isChosen,
    get: (key) => find(key).value,
    said: (key) => (find(key).from === "default" ? undefined : find(key).value),
  };
}

function inputOf(
  project: ConfigFile | undefined,
  options: OpenConfigOptions,
  user: ConfigFile | undefined,
  defaults: ConfigInput["defaults"],
  trusted = false,
): ConfigInput {
  const { env, flags = {}, home } = options;
  const projectNamed = options.file !== undefined;
  const projectTrusted = project !== undefined && (projectNamed || trusted || options.isTrusted(dirname(project.path)));
  const place = { projectFolder: options.project, env, flags, home };
  return { user, project, projectTrusted, projectNamed, profileChosen: trusted, defaults, ...place };
}

/** The project's file, or what was named in its place; with RemcoChat's own beside it where that profile is chosen. */
function readProjectFiles(
  options: OpenConfigOptions,
  profile: ProfilePolicy | undefined,
  isChosen = false,
): ConfigFile | undefined {
  const { file, cwd, project, home } = options;
  if (profile === undefined) {
    if (file === undefined) return findUp(options, (path) => readConfigFile(join(path, fileName), project));
    // What only its profile can read is read once that is known.
    return isAppConfig(file) ? undefined : readNamed(file);
  }
  if (file !== undefined) {
    if (!isAppConfig(file)) return readNamed(file);
    const base = `${cwd}${sep}`.startsWith(`${dirname(file)}${sep}`) ? dirname(file) : project;
    return readAppConfig(file, { base, home });
  }
  const own = findUp(options, (path) => readConfigFile(join(path, fileName), project));
  const isHeard = (folder: string) => isChosen || options.isTrusted(folder);
  const app = findUp(options, (base) => {
    return isHeard(base) ? readAppConfig(join(base, appFileName), { base, home, inside: project }) : undefined;
  });
  return app === undefined ? own : mergeFiles(app, own);
}

function isAppConfig(path: string): boolean {
  const text = readBounded(path, undefined);
  return text !== undefined && "app" in parseToml(path, text);
}

function userConfigPath(env: OpenConfigOptions["env"], home: string): string {
  const base = env.XDG_CONFIG_HOME;
  return join(base && isAbsolute(base) ? base : join(home, ".config"), "skillholm/config.toml");
}

function readNamed(path: string): ConfigFile {
  const file = readConfigFile(path);
  if (file === undefined) throw new SkillError("invalid-input", `--config: there is no file ${path}`);
  return file;
}

/** What the nearest folder holds, from the working directory up to the project's. */
function findUp<T>({ cwd, project }: OpenConfigOptions, read: (folder: string) => T | undefined): T | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = read(folder);
    if (found !== undefined || folder === project || folder === dirname(folder)) return found;
  }
}
