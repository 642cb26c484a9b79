import { operations, type Policy, type RootLayout, standardPolicy } from "@skillholm/core/portable";

/** What a catalog may take, whatever comes first. */
export interface CatalogLimits {
  readonly tokens: number;
  readonly entries?: number;
  /** Of the entries together. */
  readonly bytes?: number;
  readonly characters?: number;
}

/** Names of variables, by what they set. */
interface ProfileVariables {
  /** The project's folder. */
  readonly project?: string;
  /** Characters of the catalog. */
  readonly characters?: string;
  /** `false`: changes are not looked for at each call. */
  readonly refresh?: string;
}

/** The half of a profile that is plain data: how skills are loaded. Apart, so that listing needs nothing of the other. */
export interface ProfilePolicy {
  readonly name: string;
  readonly policy: Policy;
  /** Where it looks; absent: where agents agree to look, and those that are switched on. */
  readonly layout?: RootLayout;
  /** `inside`: no link leads out of the roots together, not even out of a person's own. */
  readonly links?: "inside";
  /** Unless somebody says otherwise. */
  readonly limits: CatalogLimits;
  /** It lists skills in a shape of its own. */
  readonly hasListing?: true;
  /** Variables of the environment that its own documents name. */
  readonly variables?: ProfileVariables;
}

const unlimited: CatalogLimits = { tokens: Number.POSITIVE_INFINITY };
const manifestKeys = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/** Names to the letter: what is not so, is no skill. */
const strict = {
  frontmatter: "strict",
  names: "ascii",
  missingNames: "reject",
  folderNames: "reject",
  descriptions: "reject",
} as const;

export const standardProfile: ProfilePolicy = { name: "standard", policy: standardPolicy, limits: { tokens: 4000 } };

export const remcochatProfile: ProfilePolicy = {
  name: "remcochat",
  hasListing: true,
  policy: {
    ...standardPolicy,
    enabled: false,
    missingRoots: "warn",
    emptyArguments: "keep",
    collisions: "first",
    keys: manifestKeys,
    ...strict,
    rootSkill: "ignore",
    reload: "restart",
    mentions: { slash: true, dollar: false },
    largeFiles: "cut",
    limits: { depth: 1, skills: 200, skillBytes: 200_000, bodyBytes: 2_000_000, resourceBytes: 2_000_000 },
  },
  layout: {
    places: [
      { in: "project", path: ".skills", scope: "project", writable: true },
      { in: "project", path: ".agents/skills", scope: "project", writable: true },
      { in: "home", path: ".agents/skills", scope: "user", writable: true },
      { in: "home", path: ".remcochat/skills", scope: "user", writable: true },
    ],
  },
  links: "inside",
  limits: unlimited,
};

export const codeliaProfile: ProfilePolicy = {
  name: "codelia",
  policy: {
    ...standardPolicy,
    collisions: "keep-all",
    ...strict,
    nested: "find",
    reload: "manual",
    mentions: { slash: false, dollar: true },
    confirm: [operations.activate],
    limits: { depth: 16, skillBytes: 200_000, namedFiles: 200, namedBytes: 512 * 1024 },
  },
  layout: {
    markers: [".codelia", ".git", ".jj"],
    places: [
      { in: "chain", path: ".agents/skills", scope: "project", writable: true },
      { in: "home", path: ".agents/skills", scope: "user", writable: true },
    ],
  },
  limits: { ...unlimited, entries: 200, bytes: 32 * 1024 },
  variables: { project: "CODELIA_AGENTS_ROOT" },
};

export const agentBaseProfile: ProfilePolicy = {
  name: "agent-base",
  policy: {
    ...standardPolicy,
    collisions: "last",
    unknownKeys: "reject",
    keys: [...manifestKeys, "triggers", "toolsets"],
    ...strict,
    fields: "strict",
    rootSkill: "ignore",
    reload: "manual",
    emptyArguments: "keep",
    triggers: "inject",
    mentions: { slash: false, dollar: false },
    limits: { depth: 1, skillBytes: 200_000, resourceBytes: 2_000_000 },
  },
  layout: {
    markers: [],
    places: [
      { in: "bundled", path: "", scope: "system", writable: false },
      { in: "home", path: ".agent/skills", scope: "user", writable: true },
      { in: "project", path: ".agent/skills", scope: "project", writable: true },
    ],
  },
  limits: unlimited,
};

export const mycodeagentProfile: ProfilePolicy = {
  name: "mycodeagent",
  policy: {
    ...standardPolicy,
    collisions: "last",
    unknownKeys: "ignore",
    frontmatter: "plain",
    names: "ascii",
    missingNames: "reject",
    folderNames: "ignore",
    nested: "find",
    reload: "call",
    emptyArguments: "keep",
    mentions: { slash: false, dollar: true },
    limits: { depth: 16 },
  },
  layout: { places: [{ in: "project", path: "skills", scope: "project", writable: true }] },
  limits: { ...unlimited, characters: 12_000 },
  variables: { characters: "SKILLS_PROMPT_CHAR_BUDGET", refresh: "SKILLS_REFRESH_ON_CALL" },
};

export const smallebotProfile: ProfilePolicy = {
  name: "smallebot",
  hasListing: true,
  policy: {
    ...standardPolicy,
    collisions: "first",
    unknownKeys: "ignore",
    keys: ["name", "description"],
    frontmatter: "strict",
    names: "ignore",
    missingNames: "reject",
    folderNames: "ignore",
    rootSkill: "ignore",
    identity: "folder",
    reload: "call",
    mentions: { slash: false, dollar: false },
    limits: { depth: 1, resourceBytes: 2_000_000 },
  },
  layout: {
    markers: [],
    places: [
      { in: "project", path: ".agents/sys.skills", scope: "system", writable: false },
      { in: "bundled", path: "", scope: "system", writable: false },
      { in: "project", path: ".agents/skills", scope: "user", writable: true },
    ],
  },
  limits: unlimited,
};

const all = [standardProfile, remcochatProfile, codeliaProfile, agentBaseProfile, mycodeagentProfile, smallebotProfile];

/** The policy of every profile by its name. */
export const profilePolicies: Readonly<Record<string, ProfilePolicy>> = Object.fromEntries(
  all.map((profile) => [profile.name, profile]),
);

export const profileNames: readonly string[] = Object.keys(profilePolicies);

/** What the profiles call the operations. */
const ownTools: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  remcochat: { "skills.activate": operations.activate, "skills.readResource": operations.read },
  codelia: { skill_search: operations.search, skill_load: operations.activate },
  "agent-base": { script_run: operations.run },
  mycodeagent: { Skill: operations.activate },
  smallebot: { ReadFile: operations.read },
};
const aliases: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(ownTools));

/** The tools that a rule may name: one configuration serves every profile. */
export const toolNames: readonly string[] = [...Object.values(operations), ...Object.keys(aliases)];

/** What a profile calls an operation. */
export function toolOf(profile: string, operation: string): string {
  const own = Object.entries(ownTools[profile] ?? {}).find(([, each]) => each === operation);
  return own?.[0] ?? operation;
}

/** What a tool does, by whatever name a profile offers it. */
export function operationOf(tool: string): string {
  return aliases[tool] ?? tool;
}
