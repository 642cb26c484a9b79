import { isAbsolute, join, resolve, sep } from "node:path";
import { closestNames, type Root, SkillError } from "@skillholm/core";
import { type ConfigFile, type ConfigRoot, type ConfigRule, type ConfigServer, folderOf } from "./config-file.ts";
import { type ConfigKey, type ConfigValue, configKeys } from "./config-keys.ts";
import { checkValue } from "./config-value.ts";

/** Where a value came from; later ones are stronger. */
export type ConfigOrigin = "default" | "user" | "project" | "environment" | "flag";

/** A value that counts, and where it came from. */
export interface Setting<T = ConfigValue> {
  readonly key: string;
  readonly value: T;
  readonly from: ConfigOrigin;
  readonly path?: string;
  readonly line?: number;
}

/** What a file says and may not. */
export interface IgnoredSetting {
  readonly key: string;
  readonly value: unknown;
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

/** All settings, as they count. */
export interface Config {
  readonly settings: readonly Setting[];
  /** Instead of the default roots. */
  readonly roots?: readonly Setting<Root>[];
  readonly rules: readonly Setting<ConfigRule>[];
  /** Other MCP servers whose skills count. */
  readonly servers: readonly Setting<ConfigServer>[];
  readonly ignored: readonly IgnoredSetting[];
  /** Variables of ours that mean nothing, with the one that was probably meant. */
  readonly unknownVariables: readonly { readonly name: string; readonly near?: string }[];
}

export interface ConfigInput {
  readonly user?: ConfigFile | undefined;
  readonly project?: ConfigFile | undefined;
  /** A project's file is a stranger's input until its folder is trusted. */
  readonly projectTrusted: boolean;
  /** The file was named on the command line: a person's word, in the project's place. */
  readonly projectNamed: boolean;
  /** Its roots lie in here. */
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, ConfigValue>>;
  readonly home: string;
  /** A person chose the profile, so that its own file counts as theirs. */
  readonly profileChosen: boolean;
  /** What counts where nobody says anything, by key: the profile's own. */
  readonly defaults: Readonly<Record<string, ConfigValue>>;
}

/** Works out what counts: flags, then the environment, the project, the user, the defaults. */
export function resolveConfig(input: ConfigInput): Config {
  const ignored: IgnoredSetting[] = [];
  const settings = configKeys.map((key) => resolveKey(key, input, ignored));
  const roots = resolveConfigRoots(input, ignored);
  return {
    settings,
    ...(roots && { roots }),
    rules: resolveRules(input, ignored),
    servers: resolveServers(input, ignored),
    ignored,
    unknownVariables: findUnknownVariables(input.env),
  };
}

/** The setting that decides what all others default to. */
export function resolveProfile(input: ConfigInput): Setting {
  return resolveKey(configKeys[0] as ConfigKey, input, []);
}

function resolveKey(key: ConfigKey, input: ConfigInput, ignored: IgnoredSetting[]): Setting {
  let setting: Setting = { key: key.key, value: input.defaults[key.key] ?? key.fallback, from: "default" };
  const { user, project } = input;
  const said = user?.values.find((entry) => entry.key === key.key);
  if (user !== undefined && said !== undefined) setting = { ...said, from: "user", path: user.path };
  const asked = project?.values.find((entry) => entry.key === key.key);
  if (project !== undefined && asked !== undefined) {
    const { value, line } = asked;
    const isNamed = input.projectNamed || (asked.path !== undefined && input.profileChosen);
    const reason = isNamed ? undefined : refuse(key, setting.value, value, input.projectTrusted);
    const place = { path: asked.path ?? project.path, line };
    if (reason !== undefined) ignored.push({ key: key.key, value, ...place, reason });
    else setting = { key: key.key, value: combine(key, setting.value, value), from: "project", ...place };
  }
  const variable = variableOf(key.key);
  const text = input.env[variable];
  if (text !== undefined) setting = { key: key.key, value: parseText(key, text, variable), from: "environment" };
  const flag = input.flags[key.key];
  return flag === undefined ? setting : { key: key.key, value: flag, from: "flag" };
}

/** Why a project's value does not count, if it does not. */
function refuse(key: ConfigKey, now: ConfigValue, wanted: ConfigValue, trusted: boolean): string | undefined {
  if (JSON.stringify(now) === JSON.stringify(wanted) || tightens(key, now, wanted)) return undefined;
  if (key.project === "never") {
    return key.order === undefined
      ? "a project's file may not set this"
      : "a project's file may only make this stricter";
  }
  return trusted ? undefined : "its folder is not trusted yet, and this would loosen or change something";
}

function tightens({ order }: ConfigKey, now: ConfigValue, wanted: ConfigValue): boolean {
  if (order === undefined) return false;
  if (order === "longer") return true;
  if (order === "false") return wanted === false;
  if (order === "smaller") return Number(wanted) <= Number(now);
  return order.indexOf(String(wanted)) >= order.indexOf(String(now));
}

// Two lists of what is switched off add up; everything else is replaced.
function combine({ order }: ConfigKey, now: ConfigValue, wanted: ConfigValue): ConfigValue {
  return order === "longer" ? [...new Set([...asList(now), ...asList(wanted)])] : wanted;
}

function asList(value: ConfigValue): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/** `skills.max_depth` is `SKILLHOLM_SKILLS_MAX_DEPTH`. */
function variableOf(key: string): string {
  return `SKILLHOLM_${key.toUpperCase().replaceAll(".", "_")}`;
}

function parseText(key: ConfigKey, text: string, variable: string): ConfigValue {
  const error = (message: string) => new SkillError("invalid-input", `${variable}: ${message}.`);
  const parsed = {
    text,
    flag: text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text,
    number: /^\d+$/.test(text) ? Number(text) : text,
    list: text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  }[key.type];
  return checkValue(key, parsed, error);
}

function findUnknownVariables(env: ConfigInput["env"]): Config["unknownVariables"] {
  const known = configKeys.map(({ key }) => variableOf(key));
  const unknown = Object.keys(env).filter((name) => name.startsWith("SKILLHOLM_") && !known.includes(name));
  return unknown.map((name) => {
    const [near] = closestNames(known, name, 1);
    return near === undefined ? { name } : { name, near };
  });
}

function resolveConfigRoots(input: ConfigInput, ignored: IgnoredSetting[]): Config["roots"] {
  const { user, project } = input;
  if (project?.roots !== undefined) {
    const counted = project.roots.flatMap(({ key, value, line, path }): Setting<Root>[] => {
      const place = { path: path ?? project.path, line };
      const isNamed = input.projectNamed || (path !== undefined && input.profileChosen);
      const reason = isNamed ? undefined : refuseRoot(value, project, input, path !== undefined);
      if (reason === undefined) {
        // A link out of the project would make its roots anything.
        const bound = isNamed ? {} : { project: input.projectFolder };
        return [{ key, value: { ...toRoot(value, project, input.home), ...bound }, from: "project", ...place }];
      }
      ignored.push({ key, value, ...place, reason });
      return [];
    });
    // None at all is what was asked for; none that counts is as if nothing was said.
    if (counted.length > 0 || project.roots.length === 0) return counted;
  }
  return user?.roots?.map(({ key, value, line }) => {
    const file = user as ConfigFile;
    return { key, value: toRoot(value, file, input.home), from: "user", path: file.path, line };
  });
}

function refuseRoot(
  { path, scope }: ConfigRoot,
  file: ConfigFile,
  input: ConfigInput,
  isResolved: boolean,
): string | undefined {
  if (!input.projectTrusted) return "its folder is not trusted yet";
  if (scope !== "project") return `a project's roots have the scope project, not ${scope}`;
  const place = resolve(folderOf(file), path);
  const { projectFolder: project } = input;
  // What a system's own file says is absolute by now.
  const isRelative = !path.startsWith("~") && (!isAbsolute(path) || isResolved);
  const inside = isRelative && (place === project || place.startsWith(project + sep));
  return inside ? undefined : "a project's roots lie inside the project";
}

/** A root that a person, or a trusted project, names is trusted; links of a project's stay inside it. */
function toRoot({ path, scope }: ConfigRoot, file: ConfigFile, home: string): Root {
  const folder = folderOf(file);
  const place = path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(folder, path);
  const root = { path: place, scope, trusted: true, writable: scope === "project" || scope === "user" };
  return scope === "user" ? { ...root, links: "anywhere" } : { ...root, links: "inside" };
}

function resolveRules(input: ConfigInput, ignored: IgnoredSetting[]): readonly Setting<ConfigRule>[] {
  const { user, project } = input;
  const rules = (user?.rules ?? []).map(
    (entry): Setting<ConfigRule> => ({ ...entry, from: "user", path: user?.path ?? "" }),
  );
  for (const { key, value, line } of project?.rules ?? []) {
    const place = { path: project?.path ?? "", line };
    if (input.projectNamed || key === "permissions.deny") rules.push({ key, value, from: "project", ...place });
    else ignored.push({ key, value, ...place, reason: "a project's file may only deny" });
  }
  return rules;
}

/** Addresses are a person's to give: a project's file names none. */
function resolveServers(input: ConfigInput, ignored: IgnoredSetting[]): readonly Setting<ConfigServer>[] {
  const { user, project } = input;
  const servers = (user?.servers ?? []).map(
    (entry): Setting<ConfigServer> => ({ ...entry, from: "user", path: user?.path ?? "" }),
  );
  for (const { key, value, line } of project?.servers ?? []) {
    const place = { path: project?.path ?? "", line };
    if (input.projectNamed) servers.push({ key, value, from: "project", ...place });
    else ignored.push({ key, value, ...place, reason: "a project's file may name no servers" });
  }
  return servers;
}
