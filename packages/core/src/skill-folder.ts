/** A skill's folder as it is to be judged. */
export interface SkillFolder {
  /** Absolute path of the `SKILL.md`. */
  readonly path: string;
  readonly dir: string;
  /** The folder's own name. */
  readonly folder: string;
  /** The `SKILL.md`. */
  readonly bytes: Uint8Array;
  /** The other files, relative with `/`, with the text of those that are Markdown or a script. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

/** Whether a file is for people and models to read. */
export function isMarkdown(file: string): boolean {
  return /\.(md|markdown|mdx|txt)$/i.test(file);
}
