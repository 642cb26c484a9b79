import { dirname, isAbsolute, join } from "node:path";
import { SkillError } from "@skillholm/core";
import { type Config, resolveConfig } from "./config.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import type { ConfigValue } from "./config-keys.ts";

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
  /** The value of one key. */
  get(key: string): ConfigValue;
}

const fileName = "skillholm.toml";

/** Reads every configuration file and works out what counts. */
export function openConfig(options: OpenConfigOptions): OpenedConfig {
  const { home, env, flags = {} } = options;
  const userPath = userConfigPath(env, home);
  const user = readConfigFile(userPath);
  const project = options.file === undefined ? findProjectFile(options) : readNamed(options.file);
  const projectNamed = options.file !== undefined;
  const projectTrusted = project !== undefined && (projectNamed || options.isTrusted(dirname(project.path)));
  const config = resolveConfig({
    user,
    project,
    projectTrusted,
    projectNamed,
    projectFolder: options.project,
    env,
    flags,
    home,
  });
  const projectPath = project?.path ?? join(options.project, fileName);
  return {
    ...config,
    files: [
      { path: userPath, exists: user !== undefined, trusted: true },
      { path: projectPath, exists: project !== undefined, trusted: projectTrusted },
    ],
    get: (key) => {
      const setting = config.settings.find((each) => each.key === key);
      if (setting === undefined) throw new SkillError("invalid-input", `There is no setting "${key}".`);
      return setting.value;
    },
  };
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

/** The nearest one from the working directory up to the project's folder. */
function findProjectFile({ cwd, project }: OpenConfigOptions): ConfigFile | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = readConfigFile(join(folder, fileName), project);
    if (file !== undefined || folder === project || folder === dirname(folder)) return file;
  }
}
