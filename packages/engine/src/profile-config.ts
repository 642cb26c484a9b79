import { isAbsolute, join, resolve } from "node:path";
import type { Limits } from "@skillholm/core";
import type { ProfilePolicy } from "@skillholm/profiles/policies";
import {
  type ConfigEntry,
  type ConfigFile,
  type ConfigRoot,
  checkKeys,
  lineOf,
  parseToml,
  type Table,
} from "./config-file.ts";
import { type ConfigValue, configKeys } from "./config-keys.ts";
import { readBounded, wrong } from "./config-read.ts";
import { checkValue } from "./config-value.ts";

/** What a profile's policy means for the settings that nobody made. */
export function defaultsOf({ policy, limits, layout }: ProfilePolicy): Readonly<Record<string, ConfigValue>> {
  const bound = (key: keyof Limits, name: string) => {
    const value = policy.limits[key];
    return value === undefined ? {} : { [name]: value };
  };
  return {
    "skills.enabled": policy.enabled,
    "skills.collisions": policy.collisions,
    "skills.unknown_keys": policy.unknownKeys,
    "skills.reload": policy.reload,
    "skills.markers": layout?.markers ?? [],
    "skills.triggers": policy.triggers,
    ...bound("depth", "skills.max_depth"),
    ...bound("skills", "skills.max_skills"),
    ...bound("skillBytes", "skills.max_skill_md_bytes"),
    ...bound("resourceBytes", "skills.max_resource_bytes"),
    "skills.initial.max_entries": limits.entries ?? 0,
    "skills.initial.max_bytes": limits.bytes ?? 0,
    "skills.search.default_limit": policy.search.limit,
    "skills.search.max_limit": policy.search.most,
  };
}

const section = "app.skills";

/** Each key of `[app.skills]` as a key of ours. */
const keys: Readonly<Record<string, string>> = {
  enabled: "skills.enabled",
  max_skills: "skills.max_skills",
  max_skill_md_bytes: "skills.max_skill_md_bytes",
  max_resource_bytes: "skills.max_resource_bytes",
};

interface AppPlace {
  /** What relative directories are relative to. */
  readonly base: string;
  readonly home: string;
  /** The folder that the file's real place must not leave. */
  readonly inside?: string;
}

/** RemcoChat's own file: only its `[app.skills]` counts; what else stands there is not ours. Undefined without a file. */
export function readAppConfig(path: string, { base, home, inside }: AppPlace): ConfigFile | undefined {
  const text = readBounded(path, inside);
  if (text === undefined) return undefined;
  const app = parseToml(path, text).app as Table | undefined;
  const skills = Object(app).skills as Table | undefined;
  if (skills === undefined) return { path, values: [], rules: [] };
  if (typeof skills !== "object" || Array.isArray(skills))
    throw wrong(path, 1, `"${section}" should be a table: [${section}]`);
  const line = (key: string) => lineOf(text, `${section}.${key}`, 0);
  checkKeys(path, line(Object.keys(skills)[0] ?? ""), skills, ["directories", ...Object.keys(keys)]);
  const values = Object.entries(skills).flatMap(([name, value]): ConfigEntry[] => {
    const known = configKeys.find(({ key }) => key === keys[name]);
    if (known === undefined) return [];
    const own = { ...known, key: `${section}.${name}` };
    return [
      {
        key: known.key,
        value: checkValue(own, value, (message) => wrong(path, line(name), message)),
        line: line(name),
        path,
      },
    ];
  });
  const { directories } = skills;
  if (directories === undefined) return { path, values, rules: [] };
  if (!Array.isArray(directories) || directories.some((each) => typeof each !== "string" || each === "")) {
    throw wrong(path, line("directories"), `"${section}.directories" should be a list of paths`);
  }
  const roots = [...new Set(directories as string[])].map((each): ConfigEntry<ConfigRoot> => {
    const isHome = each === "~" || each.startsWith("~/");
    const place = isHome ? join(home, each.slice(1)) : resolve(base, each);
    const scope = isHome || (isAbsolute(each) && place.startsWith(`${home}/`)) ? "user" : "project";
    return { key: "skills.roots", value: { path: place, scope }, line: line("directories"), path };
  });
  return { path, values, rules: [], roots };
}

/** Two files of one project as one: the first decides where both say something. */
export function mergeFiles(first: ConfigFile, second: ConfigFile | undefined): ConfigFile {
  if (second === undefined) return first;
  const said = new Set(first.values.map(({ key }) => key));
  const roots = first.roots ?? second.roots;
  return {
    path: second.path,
    values: [...first.values, ...second.values.filter(({ key }) => !said.has(key))],
    rules: second.rules,
    ...(roots && { roots }),
  };
}
