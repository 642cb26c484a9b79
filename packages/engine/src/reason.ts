import type { HiddenSkill } from "@skillholm/core";

/** Why a skill is hidden, with the command that changes it where there is one. A model never gets to see this. */
export function reasonOf({ state, reason, root }: HiddenSkill): string {
  return state === "untrusted" ? `${reason}: ${trustCommand(root)}` : reason;
}

export function trustCommand(root: HiddenSkill["root"]): string {
  return `skillholm trust ${shellWord(root.project ?? root.path)}`;
}

/** A path as one word of a command that can be pasted. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
