import type { Limits } from "./limits.ts";
import { nameKey } from "./name.ts";

/** How skills are loaded and used, as plain data; a profile is a policy and a dialect. */
export interface Policy {
  /** False: nothing is looked for until somebody says so. */
  readonly enabled: boolean;
  /** Who answers to a name that several skills claim. */
  readonly collisions: "first" | "last" | "scope" | "keep-all";
  /** What a skill is called by: its name, or its folder's. */
  readonly identity: "name" | "folder";
  readonly unknownKeys: "reject" | "warn" | "ignore";
  /** The keys of a frontmatter that are known; absent: all that some client knows. */
  readonly keys?: readonly string[];
  /** `strict`: valid YAML from the first line on, keys as they are spelt. `plain`: the same, but a colon needs no quotes. */
  readonly frontmatter: "lenient" | "plain" | "strict";
  /** What becomes of a name that breaks the specification; `ascii`: rejected too where it has other letters than a to z. */
  readonly names: "ignore" | "warn" | "reject" | "ascii";
  readonly missingNames: "folder" | "reject";
  /** A name that is not its folder's, or no text. */
  readonly folderNames: "ignore" | "warn" | "reject";
  /** A description that is too long, or no text. */
  readonly descriptions: "warn" | "reject";
  /** `strict`: optional fields of a wrong shape reject the skill. */
  readonly fields: "lenient" | "strict";
  /** `skip`: nothing below a skill's folder is another skill. */
  readonly nested: "skip" | "find";
  /** Whether a `SKILL.md` right in a root makes the root a skill. */
  readonly rootSkill: "take" | "ignore";
  /** A root that is not there. */
  readonly missingRoots: "ignore" | "warn";
  /** Names or patterns with `*`. */
  readonly disabled: readonly string[];
  /** When changes on disk are seen. */
  readonly reload: "restart" | "manual" | "call" | "watch";
  /** What becomes of a `$ARGUMENTS` when nothing was given. */
  readonly emptyArguments: "blank" | "keep";
  /** How a person names a skill in a message. */
  readonly mentions: MentionStyle;
  /** What becomes of a skill whose triggers a message matches. */
  readonly triggers: "off" | "suggest" | "inject";
  /** Operations that need a person's yes unless a rule allows them. */
  readonly confirm: readonly string[];
  /** `cut`: a file over the limit is cut; `refuse`: it is not read at all. */
  readonly largeFiles: "cut" | "refuse";
  readonly search: { readonly limit: number; readonly most: number };
  readonly scripts: ScriptPolicy;
  readonly limits: Partial<Limits>;
}

/** Whether and how scripts of skills run. */
export interface ScriptPolicy {
  readonly mode: "off" | "ask" | "allow";
  /** What a skill's `allowed-tools` mean for its scripts; under `enforce` it must ask for what they need. */
  readonly allowedTools: "ignore" | "log" | "enforce";
  /** The folders of a skill whose files are scripts; the empty name is the skill's own folder. */
  readonly folders: readonly string[];
  /** `copy`: the skill's folder is a fresh copy that a script may change; else only its scratch folder is. */
  readonly workspace: "scratch" | "copy";
}

/** `/name` at the start of a message, `$name` anywhere. */
export interface MentionStyle {
  readonly slash: boolean;
  readonly dollar: boolean;
}

/** The policy of the `standard` profile. */
export const standardPolicy: Policy = {
  enabled: true,
  collisions: "scope",
  identity: "name",
  unknownKeys: "warn",
  frontmatter: "lenient",
  names: "warn",
  missingNames: "folder",
  folderNames: "warn",
  descriptions: "warn",
  fields: "lenient",
  nested: "skip",
  rootSkill: "take",
  missingRoots: "ignore",
  disabled: [],
  reload: "watch",
  emptyArguments: "blank",
  mentions: { slash: true, dollar: true },
  triggers: "off",
  confirm: [],
  largeFiles: "refuse",
  search: { limit: 8, most: 50 },
  scripts: { mode: "ask", allowedTools: "log", folders: ["scripts"], workspace: "scratch" },
  limits: {},
};

/** Whether a name matches one of the policy's `disabled` patterns. */
export function isDisabled(name: string, policy: Policy): boolean {
  return matchesAny(name, policy.disabled);
}

/** Whether a name is one of some names and patterns with `*`. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPattern(nameKey(name), nameKey(pattern)));
}

/** Greedy wildcard match without a regular expression: linear, so no pattern can hang it. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
