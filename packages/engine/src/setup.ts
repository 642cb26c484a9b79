import type { PermissionRule, Permissions, SessionOptions } from "@skillholm/core";
import { type CatalogLimits, type Profile, profiles, standard, type ToolHost } from "@skillholm/profiles";
import { operationOf, toolOf } from "@skillholm/profiles/policies";
import { createScriptRunner, type RunnerOptions } from "@skillholm/sandbox";
import type { Answer } from "@skillholm/store";
import type { OpenedConfig } from "./open-config.ts";
import { catalogLimits } from "./policy.ts";
import { openRunFolder } from "./run-folder.ts";

/** What a configuration, its profile and a person's answers decide about a conversation. */
export interface Setup {
  readonly profile: Profile;
  readonly catalog: CatalogLimits;
  readonly host: ToolHost;
  readonly rules: readonly PermissionRule[];
  readonly session: Pick<SessionOptions, "binary" | "bodyTokens" | "runner" | "warn">;
  readonly remember: NonNullable<Permissions["remember"]>;
  readonly log: NonNullable<Permissions["log"]>;
  readonly nameOf: NonNullable<Permissions["nameOf"]>;
}

export interface SetupInput {
  readonly settings: OpenedConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Folders that no tool serves. */
  readonly closed: readonly string[];
  readonly answers: readonly Answer[];
  readonly remember: Setup["remember"];
  readonly log: Setup["log"];
  readonly warn: (message: string) => void;
}

export function setupOf({ settings, env, cwd, closed, answers, remember, log, warn }: SetupInput): Setup {
  const catalog = catalogLimits(settings, env);
  const extensions = settings.get("skills.read_file_extensions") as string[];
  return {
    profile: profiles[settings.profile.name] ?? standard,
    catalog,
    host: { cwd, catalog, files: openRunFolder(cwd, extensions, closed) },
    rules: [...rulesOf(settings), ...answers.map(toRule)],
    session: {
      binary: settings.get("skills.binary") as NonNullable<SessionOptions["binary"]>,
      bodyTokens: Number(settings.get("skills.body_tokens_max")) || Number.POSITIVE_INFINITY,
      runner: createScriptRunner({ env, sandbox: settings.get("skills.sandbox") as RunnerOptions["sandbox"] }),
      warn,
    },
    remember,
    log,
    nameOf: (tool) => toolOf(settings.profile.name, tool),
  };
}

/** A rule is about what a tool does, by whatever name a profile offers it. */
function rulesOf(settings: OpenedConfig): readonly PermissionRule[] {
  return settings.rules.map(({ key, value, path, line }) => ({
    decision: key.slice(key.indexOf(".") + 1) as PermissionRule["decision"],
    tool: operationOf(value.tool),
    ...(value.skill_name !== undefined && { skill: value.skill_name }),
    ...(path !== undefined && { place: `${path}:${line}` }),
  }));
}

function toRule({ decision, tool, skill_name: skill, digest, grants }: Answer): PermissionRule {
  const files = { ...(digest !== undefined && { digest }), ...(grants !== undefined && { grants }) };
  return { decision, tool: operationOf(tool), ...(skill !== undefined && { skill }), ...files, remembered: true };
}
