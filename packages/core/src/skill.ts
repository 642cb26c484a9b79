import type { SkillFields } from "./fields.ts";
import type { Root, Scope } from "./root.ts";
import type { Frontmatter } from "./value.ts";

/** A folder with a `SKILL.md` that loaded. Its identity is (root, path); its name is a claim. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly scope: Scope;
  /** Absolute path of the `SKILL.md`, as the walk reached it. */
  readonly path: string;
  readonly dir: string;
  /** The same file with every link resolved; equal for two ways to one skill. */
  readonly realPath: string;
  readonly root: Root;
  readonly size: number;
  readonly mtimeMs: number;
  readonly frontmatter: Frontmatter;
  readonly fields: SkillFields;
}
