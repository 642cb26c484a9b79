import { SkillError } from "./error.ts";

// Not `$ARGUMENTS_FILE`, which is a name of its own.
const slot = /\$ARGUMENTS(?![\p{L}\p{N}_])/gu;

/** Instructions with what the caller gave: in place of `$ARGUMENTS`, else as `ending`. */
export interface Filled {
  readonly body: string;
  /** Empty where there are slots, or nothing was given. */
  readonly ending: string;
}

/** Fills the slots in. No other `$` is touched. Refused where the slots would multiply it past `limit` characters. */
export function fillArguments(body: string, given: string, limit: number): Filled {
  const slots = body.match(slot)?.length ?? 0;
  if (slots * given.length > limit) {
    const message = `The arguments are too long: ${given.length} characters, and the skill repeats them ${slots} times.`;
    throw new SkillError("invalid-input", message);
  }
  if (slots > 0) return { body: body.replace(slot, () => given), ending: "" };
  return { body, ending: given.trim() === "" ? "" : `\n\nARGUMENTS: ${given}` };
}
