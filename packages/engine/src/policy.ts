import { type Limits, type Policy, SkillError } from "@skillholm/core";
import type { CatalogLimits } from "@skillholm/profiles/policies";
import type { OpenedConfig } from "./open-config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How skills are loaded: as the profile has it, except where somebody said otherwise. */
export function policyOf(settings: OpenedConfig, env: Env): Policy {
  const { policy, variables } = settings.profile;
  const number = (key: string) => settings.get(key) as number;
  const limits: Partial<Limits> = {
    ...policy.limits,
    depth: number("skills.max_depth"),
    skills: number("skills.max_skills"),
    skillBytes: number("skills.max_skill_md_bytes"),
    resourceBytes: number("skills.max_resource_bytes"),
  };
  const refresh = variables?.refresh === undefined ? undefined : env[variables.refresh];
  const isOff = refresh !== undefined && ["false", "0", "no", "off"].includes(refresh.toLowerCase());
  return {
    ...policy,
    enabled: settings.get("skills.enabled") as boolean,
    collisions: settings.get("skills.collisions") as Policy["collisions"],
    unknownKeys: settings.get("skills.unknown_keys") as Policy["unknownKeys"],
    disabled: settings.get("skills.disabled") as string[],
    reload: isOff ? "restart" : (settings.get("skills.reload") as Policy["reload"]),
    triggers: settings.get("skills.triggers") as Policy["triggers"],
    scripts: {
      ...policy.scripts,
      mode: settings.get("skills.scripts") as Policy["scripts"]["mode"],
      allowedTools: settings.get("skills.allowed_tools") as Policy["scripts"]["allowedTools"],
    },
    search: { limit: number("skills.search.default_limit"), most: number("skills.search.max_limit") },
    limits,
  };
}

/** What the catalog may take; 0 in the configuration means no such limit. */
export function catalogLimits(settings: OpenedConfig, env: Env, budget?: number): CatalogLimits {
  const { limits, variables } = settings.profile;
  const entries = settings.get("skills.initial.max_entries") as number;
  const bytes = settings.get("skills.initial.max_bytes") as number;
  const said = settings.said("skills.budget_tokens") as number | undefined;
  const characters = readCharacters(variables?.characters, env) ?? limits.characters;
  return {
    tokens: budget ?? said ?? limits.tokens,
    ...(entries > 0 && { entries }),
    ...(bytes > 0 && { bytes }),
    ...(characters !== undefined && { characters }),
  };
}

function readCharacters(variable: string | undefined, env: Env): number | undefined {
  const text = variable === undefined ? undefined : env[variable];
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SkillError("invalid-input", `${variable}: "${text}" should be a whole number of characters, like 12000.`);
}
