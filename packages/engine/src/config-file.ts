import { dirname } from "node:path";
import { closestNames, type Scope, scopes } from "@skillholm/core";
import { toolNames } from "@skillholm/profiles/policies";
import { parse, TomlError } from "smol-toml";
import { type ConfigValue, configKeyNames, configKeys } from "./config-keys.ts";
import { readBounded, wrong } from "./config-read.ts";
import { checkValue } from "./config-value.ts";

/** One value of a configuration file, and the line that it stands on. */
export interface ConfigEntry<T = ConfigValue> {
  readonly key: string;
  readonly value: T;
  readonly line: number;
  /** The file, where it is another one than its neighbours'. */
  readonly path?: string;
}

export interface ConfigRoot {
  readonly path: string;
  readonly scope: Scope;
}

/** A permission rule, as it is written. */
export interface ConfigRule {
  readonly tool: string;
  readonly skill_name?: string;
}

/** Another MCP server whose skills count, as it is written. */
export interface ConfigServer {
  readonly name: string;
  readonly url: string;
  /** The variable of the environment that holds its token. */
  readonly token_env?: string;
}

/** A configuration file, checked. */
export interface ConfigFile {
  readonly path: string;
  readonly values: readonly ConfigEntry[];
  /** Absent where the file says nothing of roots; an empty list means none at all. */
  readonly roots?: readonly ConfigEntry<ConfigRoot>[];
  readonly rules: readonly ConfigEntry<ConfigRule>[];
  readonly servers?: readonly ConfigEntry<ConfigServer>[];
}

/** Reads a configuration file; undefined where there is none. `inside`: the folder that its real place must not leave. */
export function readConfigFile(path: string, inside?: string): ConfigFile | undefined {
  const text = readBounded(path, inside);
  return text === undefined ? undefined : parseConfig(path, text);
}

export type Table = Readonly<Record<string, unknown>>;

export function parseToml(path: string, text: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw wrong(path, error.line, `it is no TOML: ${reason}`);
  }
}

function parseConfig(path: string, text: string): ConfigFile {
  const table = parseToml(path, text);
  const values: ConfigEntry[] = [];
  let roots: readonly ConfigEntry<ConfigRoot>[] | undefined;
  const rules: ConfigEntry<ConfigRule>[] = [];
  const servers: ConfigEntry<ConfigServer>[] = [];
  const at = (key: string, index = 0) => lineOf(text, key, index);
  for (const [key, value] of flatten(table)) {
    if (key === "skills.roots") {
      roots = tables(path, at(key), key, value).map((item, index) => {
        return { key, value: checkRoot(path, at(key, index), item), line: at(key, index) };
      });
    } else if (ruleKeys.includes(key)) {
      for (const [index, item] of tables(path, at(key), key, value).entries()) {
        rules.push({ key, value: checkRule(path, at(key, index), item), line: at(key, index) });
      }
    } else if (key === serversKey) {
      for (const [index, item] of tables(path, at(key), key, value).entries()) {
        servers.push({ key, value: checkServer(path, at(key, index), item), line: at(key, index) });
      }
    } else {
      const known = configKeys.find((each) => each.key === key);
      if (known === undefined) throw wrong(path, at(key), unknownKey(key));
      values.push({ key, value: checkValue(known, value, (message) => wrong(path, at(key), message)), line: at(key) });
    }
  }
  return { path, values, rules, servers, ...(roots && { roots }) };
}

const ruleKeys = ["permissions.deny", "permissions.allow", "permissions.ask"];
const serversKey = "mcp.servers";
const sections = ["skills", "permissions", "server", "mcp", "skills.initial", "skills.search"];
const allKeys = [...configKeyNames, "skills.roots", serversKey, ...ruleKeys];

function* flatten(table: Table, prefix = ""): Generator<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + name;
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value);
    if (sections.includes(key) && isTable) yield* flatten(value as Table, `${key}.`);
    else yield [key, value];
  }
}

function unknownKey(key: string): string {
  if (key === "app") return "[app.skills] is of the profile remcochat; choose it with --profile remcochat";
  if (sections.includes(key)) return `"${key}" should be a table: [${key}]`;
  const [near] = closestNames(key.includes(".") ? allKeys : [...sections, ...allKeys], key, 1);
  // A key that was put outside of its section is nearer than its spelling says.
  const moved = allKeys.find((each) => each.endsWith(`.${key}`));
  const hint = moved ?? near;
  return `there is no key "${key}"${hint === undefined ? `. Known: ${allKeys.join(", ")}` : `. Did you mean "${hint}"?`}`;
}

function tables(path: string, line: number, key: string, value: unknown): readonly Table[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null)) return value;
  throw wrong(path, line, `"${key}" should be written as [[${key}]], once for each`);
}

function checkRoot(path: string, line: number, table: Table): ConfigRoot {
  checkKeys(path, line, table, ["path", "scope"]);
  const { path: place, scope = "project" } = table;
  if (typeof place !== "string" || place === "") throw wrong(path, line, 'a root needs a "path"');
  if (place.includes("\0")) throw wrong(path, line, "the root's path holds a NUL");
  if (!(scopes as readonly unknown[]).includes(scope)) {
    throw wrong(path, line, `the root's scope is ${JSON.stringify(scope)}; it should be one of ${scopes.join(", ")}`);
  }
  return { path: place, scope: scope as Scope };
}

function checkRule(path: string, line: number, table: Table): ConfigRule {
  checkKeys(path, line, table, ["tool", "skill_name"]);
  const { tool, skill_name: name } = table;
  if (typeof tool !== "string" || tool === "") throw wrong(path, line, 'a rule needs a "tool"');
  if (!toolNames.includes(tool)) {
    const [near] = closestNames(toolNames, tool, 1);
    const hint = near === undefined ? `Known: ${toolNames.join(", ")}.` : `Did you mean "${near}"?`;
    throw wrong(path, line, `there is no tool "${tool}". ${hint}`);
  }
  if (name === undefined) return { tool };
  // A rule that cannot be meant must not become a wider one.
  if (typeof name !== "string" || name.trim() === "" || name.includes("*")) {
    throw wrong(path, line, `the rule's skill_name is ${JSON.stringify(name)}; it should be a skill's name`);
  }
  // The system whose tool this is knows only such names, so that any other is a slip.
  if (tool === "skill_load" && !/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const message = `the rule's skill_name is ${JSON.stringify(name)}; a skill of skill_load is named like pdf-forms`;
    throw wrong(path, line, message);
  }
  return { tool, skill_name: name };
}

function checkServer(path: string, line: number, table: Table): ConfigServer {
  checkKeys(path, line, table, ["name", "url", "token_env"]);
  const { name, url, token_env: variable } = table;
  if (typeof name !== "string" || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    throw wrong(path, line, 'a server needs a "name" of a to z, digits and single hyphens');
  }
  if (typeof url !== "string" || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw wrong(path, line, `the server "${name}" needs a "url", as https://example.com/mcp`);
  }
  if (variable !== undefined && (typeof variable !== "string" || variable === "")) {
    throw wrong(path, line, `the server's token_env is ${JSON.stringify(variable)}; it should name a variable`);
  }
  return { name, url, ...(variable !== undefined && { token_env: variable }) };
}

export function checkKeys(path: string, line: number, table: Table, known: readonly string[]): void {
  const unknown = Object.keys(table).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [near] = closestNames(known, unknown, 1);
  const hint = near === undefined ? `Known: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  throw wrong(path, line, `there is no key "${unknown}" here. ${hint}`);
}

/** The line of a key, or of the nth table of that name; TOML's parser keeps no places. */
export function lineOf(text: string, key: string, index: number): number {
  const at = key.lastIndexOf(".");
  const [section, name] = [key.slice(0, Math.max(0, at)), key.slice(at + 1)];
  let table = "";
  let seen = 0;
  for (const [number, line] of blankValues(text).split("\n").entries()) {
    const [, header] = /^\s*\[{1,2}\s*([^\]]+?)\s*\]/.exec(line) ?? [];
    if (header !== undefined) {
      table = header.replaceAll(/["'\s]/g, "");
      if (table === key && seen++ === index) return number + 1;
    }
    const [, found = ""] = /^\s*([^=]+?)\s*=/.exec(line) ?? [];
    const bare = found.replaceAll(/["'\s]/g, "");
    if ((bare === name && table === section) || (bare === key && table === "")) return number + 1;
  }
  return 1;
}

/** The same lines without comments and values, so that no text in them is taken for a key. */
function blankValues(text: string): string {
  const value = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*/g;
  // A quoted text before "=" is a key and stays.
  const bare = text.replace(value, (found, offset: number) => {
    const isKey =
      /^["'](?!["'])/.test(found) && /^[ \t]*[=.]/.test(text.slice(offset + found.length, offset + found.length + 20));
    return isKey ? found : found.replace(/[^\n]/g, " ");
  });
  return blankLists(bare);
}

/** Lists that go on over several lines hold no keys of the file. */
function blankLists(text: string): string {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      const inside = depth > 0;
      const from = inside ? 0 : line.indexOf("=") + 1;
      if (inside || from > 0) depth += count(line.slice(from), /[[{]/g) - count(line.slice(from), /[\]}]/g);
      return inside ? "" : line;
    })
    .join("\n");
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The folder that a file's relative paths begin at. */
export function folderOf(file: ConfigFile): string {
  return dirname(file.path);
}
