import { SkillError } from "./error.ts";

// Not `$ARGUMENTS_FILE`, which is a name of its own.
const slot = /\$ARGUMENTS(?![\p{L}\p{N}_])/gu;

/**
 * Instructions with what the caller gave: in place of `$ARGUMENTS`, else at the end. No other `$` is touched. Refused where
 * the slots would multiply it past `limit` characters.
 */
export function fillArguments(body: string, given: string, limit: number): string {
  const slots = body.match(slot)?.length ?? 0;
  if (slots * given.length > limit) {
    const message = `The arguments are too long: ${given.length} characters, and the skill repeats them ${slots} times.`;
    throw new SkillError("invalid-input", message);
  }
  if (slots > 0) return body.replace(slot, () => given);
  return given.trim() === "" ? body : `${body}\n\nARGUMENTS: ${given}`;
}
