/** What a caller can ask that cannot be done, as stable codes. */
export type SkillErrorCode =
  | "skill-not-found"
  | "skill-ambiguous"
  | "skill-disabled"
  | "skill-untrusted"
  | "skill-invalid"
  | "skill-over-limit"
  | "permission-denied"
  | "path-outside-skill"
  | "resource-not-found"
  | "resource-binary"
  | "resource-too-large"
  | "script-not-allowed"
  | "script-timeout"
  | "script-failed"
  | "invalid-input"
  | "unavailable";

/** The caller asked the impossible. `details` join the code and message in JSON. */
export class SkillError extends Error {
  override readonly name = "SkillError";
  readonly code: SkillErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: SkillErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
