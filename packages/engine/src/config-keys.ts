import { agents } from "@skillholm/core";
import { profileNames } from "@skillholm/profiles/policies";

/**
 * Who may set a key. A project's file is a stranger's until its folder is trusted, and some things it may never say.
 * `tighten`: a project may always go towards the end of `order`, and back only where `loosen` allows.
 */
export interface ConfigKey {
  readonly key: string;
  readonly type: "text" | "flag" | "number" | "list";
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fallback: ConfigValue;
  /** From the loosest to the strictest; numbers are stricter when they are smaller. */
  readonly order?: readonly string[] | "smaller" | "false" | "longer";
  /** What a project's file may do beyond tightening: `trusted` once its folder is, `never` not even then. */
  readonly project: "trusted" | "never";
  readonly about: string;
}

export type ConfigValue = string | number | boolean | readonly string[];

/** Every key with a single value. `[[skills.roots]]` and `[[permissions.…]]` are tables of their own. */
export const configKeys: readonly ConfigKey[] = [
  {
    key: "profile",
    type: "text",
    values: profileNames,
    fallback: "standard",
    project: "trusted",
    about: "which system's rules and prompts",
  },
  {
    key: "skills.enabled",
    type: "flag",
    fallback: true,
    order: "false",
    project: "trusted",
    about: "whether there are skills at all",
  },
  {
    key: "skills.compat",
    type: "list",
    values: agents,
    fallback: [],
    project: "trusted",
    about: "other agents whose folders are read too",
  },
  {
    key: "skills.max_depth",
    type: "number",
    minimum: 0,
    fallback: 6,
    order: "smaller",
    project: "trusted",
    about: "how many folders below its root a skill may lie",
  },
  {
    key: "skills.markers",
    type: "list",
    fallback: [],
    project: "trusted",
    about: "what makes a folder the start of codelia's chain",
  },
  {
    key: "skills.collisions",
    type: "text",
    values: ["first", "last", "scope", "keep-all"],
    fallback: "scope",
    project: "trusted",
    about: "who answers to a name that several claim",
  },
  {
    key: "skills.unknown_keys",
    type: "text",
    values: ["reject", "warn", "ignore"],
    fallback: "warn",
    order: ["ignore", "warn", "reject"],
    project: "trusted",
    about: "keys in frontmatter that nobody knows",
  },
  {
    key: "skills.allowed_tools",
    type: "text",
    values: ["ignore", "log", "enforce"],
    fallback: "log",
    order: ["ignore", "log", "enforce"],
    project: "never",
    about: "what a skill's allowed-tools mean for its scripts",
  },
  {
    key: "skills.scripts",
    type: "text",
    values: ["off", "ask", "allow"],
    fallback: "ask",
    order: ["allow", "ask", "off"],
    project: "never",
    about: "whether scripts run",
  },
  {
    key: "skills.sandbox",
    type: "text",
    values: ["required", "untested", "none"],
    fallback: "required",
    order: ["none", "untested", "required"],
    project: "never",
    about: "untested: one that nobody tested will do; none: without one, where none can be had",
  },
  {
    key: "skills.budget_tokens",
    type: "number",
    minimum: 0,
    fallback: 4000,
    order: "smaller",
    project: "trusted",
    about: "what the catalog may cost in a prompt",
  },
  {
    key: "skills.reload",
    type: "text",
    values: ["restart", "manual", "call", "watch"],
    fallback: "watch",
    project: "trusted",
    about: "when changes on disk are seen",
  },
  {
    key: "skills.trust",
    type: "text",
    values: ["folder", "content"],
    fallback: "folder",
    order: ["folder", "content"],
    project: "never",
    about: "content: a changed skill waits again",
  },
  {
    key: "skills.binary",
    type: "text",
    values: ["refuse", "metadata", "base64"],
    fallback: "refuse",
    order: ["base64", "metadata", "refuse"],
    project: "trusted",
    about: "files that are no text",
  },
  {
    key: "skills.nested_references",
    type: "text",
    values: ["warn", "reject"],
    fallback: "warn",
    order: ["warn", "reject"],
    project: "trusted",
    about: "references that only another file names: advice, or invalid to validate",
  },
  {
    key: "skills.body_tokens_max",
    type: "number",
    minimum: 0,
    fallback: 0,
    project: "trusted",
    about: "0: warn over 5,000; else cut there",
  },
  {
    key: "skills.read_file_extensions",
    type: "list",
    fallback: [".md", ".cs", ".py", ".txt", ".json", ".yml", ".yaml"],
    project: "never",
    about: "what ReadFile serves (smallebot)",
  },
  {
    key: "skills.triggers",
    type: "text",
    values: ["off", "suggest", "inject"],
    fallback: "off",
    order: ["inject", "suggest", "off"],
    project: "trusted",
    about: "skills whose triggers a message matches",
  },
  {
    key: "skills.max_skills",
    type: "number",
    minimum: 0,
    fallback: 100_000,
    order: "smaller",
    project: "trusted",
    about: "how many are listed",
  },
  {
    key: "skills.max_skill_md_bytes",
    type: "number",
    minimum: 0,
    fallback: 16 * 1024 * 1024,
    order: "smaller",
    project: "trusted",
    about: "where a SKILL.md is cut",
  },
  {
    key: "skills.max_resource_bytes",
    type: "number",
    minimum: 0,
    fallback: 200_000,
    order: "smaller",
    project: "trusted",
    about: "where another file is cut",
  },
  {
    key: "skills.initial.max_entries",
    type: "number",
    minimum: 0,
    fallback: 0,
    project: "trusted",
    about: "skills in the catalog; 0: no such limit",
  },
  {
    key: "skills.initial.max_bytes",
    type: "number",
    minimum: 0,
    fallback: 0,
    project: "trusted",
    about: "bytes of the catalog's entries; 0: no such limit",
  },
  {
    key: "skills.search.default_limit",
    type: "number",
    minimum: 1,
    maximum: 50,
    fallback: 8,
    project: "trusted",
    about: "how many a search gives",
  },
  {
    key: "skills.search.max_limit",
    type: "number",
    minimum: 1,
    maximum: 50,
    fallback: 50,
    order: "smaller",
    project: "trusted",
    about: "how many can be asked for",
  },
  {
    key: "skills.disabled",
    type: "list",
    fallback: [],
    order: "longer",
    project: "trusted",
    about: "names or patterns with *",
  },
  { key: "server.host", type: "text", fallback: "127.0.0.1", project: "never", about: "where serve listens" },
  {
    key: "server.port",
    type: "number",
    minimum: 0,
    maximum: 65_535,
    fallback: 4117,
    project: "never",
    about: "its port; taken: the next free one",
  },
];

export const configKeyNames: readonly string[] = configKeys.map(({ key }) => key);
