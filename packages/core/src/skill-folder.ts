/** A skill's folder as it is to be judged. */
export interface SkillFolder {
  /** Absolute path of the `SKILL.md`. */
  readonly path: string;
  readonly dir: string;
  /** The folder's own name. */
  readonly folder: string;
  /** The `SKILL.md`. */
  readonly bytes: Uint8Array;
  /** The other files, relative with `/`, with the text of those that are Markdown. */
  readonly files: ReadonlyMap<string, string | undefined>;
}
