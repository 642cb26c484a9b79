import type { Root } from "@skillholm/core";
import { configSchema, type Engine, type OpenedConfig, type Setting } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { harmless, plain, type Terminal, tildify } from "../terminal.ts";

export interface ConfigOptions {
  readonly schema?: boolean;
}

/** What counts, where each value came from, and what was said and does not count. */
export async function runConfig(context: Context, options: ConfigOptions): Promise<number> {
  const { terminal, engine } = context;
  if (options.schema) {
    terminal.print(JSON.stringify(configSchema(), null, 2));
    return 0;
  }
  const config = engine.config();
  const roots = config.roots ?? engine.roots()?.map(toSetting);
  if (context.json) await terminal.printJson(toJson(config, roots));
  else printConfig(context, config, roots);
  return 0;
}

/** Roots that nobody wrote into a file. */
function toSetting(value: Root): Setting<Root> {
  return { key: "skills.roots", value, from: "default" };
}

function toJson(config: OpenedConfig, roots: OpenedConfig["roots"]) {
  const { settings, rules, servers, ignored, files, unknownVariables } = config;
  const values = settings.map(({ key, ...rest }) => [key, { ...rest, effect: true }]);
  const permissions = rules.map((rule) => ({ ...rule, effect: true }));
  const lists = { roots: roots ?? null, permissions, servers, ignored, unknownVariables, files };
  return { values: Object.fromEntries(values), ...lists };
}

function printConfig({ terminal, engine }: Context, config: OpenedConfig, roots: OpenedConfig["roots"]): void {
  const { settings, rules, servers } = config;
  const width = Math.max(...settings.map(({ key }) => key.length));
  const place = ({ from, path, line }: Setting<unknown>) =>
    path === undefined ? from : `${from}, ${tildify(path, engine.home)}:${line}`;
  for (const setting of settings) {
    const origin = setting.from === "default" ? "" : `  (${place(setting)})`;
    const value = harmless(JSON.stringify(setting.value));
    terminal.print(`${setting.key.padEnd(width)}  ${value}${terminal.style("dim", origin)}`);
  }
  if (roots?.length === 0) terminal.print("skills.roots  none");
  for (const setting of roots ?? []) {
    const { path, scope } = setting.value;
    terminal.print(
      `skills.roots  ${tildify(path, engine.home)} ${scope}${terminal.style("dim", `  (${place(setting)})`)}`,
    );
  }
  for (const rule of rules) {
    const { tool, skill_name: name = "*" } = rule.value;
    terminal.print(`${rule.key}  ${plain(tool)} ${plain(name)}${terminal.style("dim", `  (${place(rule)})`)}`);
  }
  for (const server of servers) {
    const { name, url } = server.value;
    terminal.print(`${server.key}  ${plain(name)} ${plain(url)}${terminal.style("dim", `  (${place(server)})`)}`);
  }
  printFiles(terminal, engine, config);
}

/** What was said and does not count, and which files were read. */
function printFiles(terminal: Terminal, { home }: Engine, { ignored, files, unknownVariables }: OpenedConfig): void {
  for (const { name, near } of unknownVariables) {
    terminal.note(`${harmless(name)} means nothing.${near === undefined ? "" : ` Did you mean ${near}?`}`);
  }
  if (ignored.length > 0) terminal.print(`\n${terminal.style("bold", "Ignored")}`);
  for (const { key, value, path, line, reason } of ignored) {
    terminal.print(`  ${plain(key)} = ${harmless(JSON.stringify(value))}  ${tildify(path, home)}:${line}`);
    terminal.print(`    ${plain(reason)}`);
  }
  terminal.print("");
  for (const { path, exists, trusted } of files) {
    const state = exists ? (trusted ? "read" : "read as a stranger's: it may only tighten") : "not there";
    terminal.print(`${tildify(path, home)}  ${terminal.style("dim", state)}`);
  }
}
