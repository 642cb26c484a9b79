import { type OpenaiFields, readFields, type SkillFields } from "./fields.ts";
import type { Root, Scope } from "./root.ts";
import type { Candidate } from "./source.ts";
import type { Frontmatter } from "./value.ts";

/** What a skill is made of, beside where it was found. */
export interface SkillParts {
  readonly name: string;
  readonly description: string;
  readonly frontmatter: Frontmatter;
  readonly openai?: OpenaiFields | undefined;
}

/** A folder with a `SKILL.md` that loaded, immutable. Its identity is (root, path); its name is a claim. */
export class Skill {
  readonly name: string;
  readonly description: string;
  readonly scope: Scope;
  /** Absolute path of the `SKILL.md`, as the walk reached it. */
  readonly path: string;
  readonly dir: string;
  /** The same file with every link resolved; equal for two ways to one skill. */
  readonly realPath: string;
  readonly realDir: string;
  readonly root: Root;
  readonly size: number;
  readonly mtimeMs: number;
  readonly frontmatter: Frontmatter;
  readonly #openai: OpenaiFields | undefined;
  #fields: SkillFields | undefined;

  constructor(candidate: Candidate, { name, description, frontmatter, openai }: SkillParts) {
    this.name = name;
    this.description = description;
    this.scope = candidate.root.scope;
    this.path = candidate.path;
    this.dir = candidate.dir;
    this.realPath = candidate.realPath;
    this.realDir = candidate.realDir;
    this.root = candidate.root;
    this.size = candidate.size;
    this.mtimeMs = candidate.mtimeMs;
    this.frontmatter = Object.freeze(frontmatter);
    this.#openai = openai;
    Object.freeze(this);
  }

  /** The fields in one shape, read when somebody asks: a list of ten thousand never does. */
  get fields(): SkillFields {
    this.#fields ??= Object.freeze(readFields(this.frontmatter, this.#openai));
    return this.#fields;
  }
}
