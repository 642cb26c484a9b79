import type { Limits } from "./limits.ts";
import { nameKey } from "./name.ts";

/** How skills are loaded, as plain data; a profile is a policy and a dialect. */
export interface Policy {
  /** Who answers to a name that several skills claim. */
  readonly collisions: "first" | "last" | "scope" | "keep-all";
  readonly unknownKeys: "reject" | "warn" | "ignore";
  /** `warn`: a name that breaks the specification still loads. `reject`: it does not. */
  readonly names: "warn" | "reject";
  /** `skip`: nothing below a skill's folder is another skill. */
  readonly nested: "skip" | "find";
  /** Names or patterns with `*`. */
  readonly disabled: readonly string[];
  readonly limits: Partial<Limits>;
}

/** The policy of the `standard` profile. */
export const standardPolicy: Policy = {
  collisions: "scope",
  unknownKeys: "warn",
  names: "warn",
  nested: "skip",
  disabled: [],
  limits: {},
};

/** Whether a name matches one of the policy's `disabled` patterns. */
export function isDisabled(name: string, policy: Policy): boolean {
  return policy.disabled.some((pattern) => matchesPattern(nameKey(name), nameKey(pattern)));
}

// Greedy wildcard match without a regular expression: linear, so no pattern can hang it.
function matchesPattern(name: string, pattern: string): boolean {
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
