import { layoutRoots, openSkills, type Skill, type Skills } from "@skillholm/core";
import { mycodeagentProfile } from "./policies.ts";

/** What MyCodeAgent knows of a skill before it is loaded. */
export interface SkillMeta {
  readonly name: string;
  readonly description: string;
  /** The `SKILL.md`, absolute. */
  readonly path: string;
  /** Its folder, relative to the project's. */
  readonly base_dir: string;
  /** Of the `SKILL.md`, in seconds. */
  readonly mtime: number;
}

export interface SkillLoaderOptions {
  /** Where the project is looked for; default the working directory. */
  readonly cwd?: string;
  /** Hears, once each, of what is wrong with the files, and of names that several skills claim. */
  readonly warn?: (message: string) => void;
}

/** MyCodeAgent's loader: the skills below `skills/` of a project, kept until somebody looks again. */
export class SkillLoader {
  readonly #options: SkillLoaderOptions;
  readonly #told = new Set<string>();
  readonly #metas = new WeakMap<Skill, SkillMeta>();
  #skills: Promise<Skills> | undefined;
  #list: readonly SkillMeta[] = [];

  constructor(options: SkillLoaderOptions = {}) {
    this.#options = options;
  }

  /** Looks at the disk and keeps what is there; a file that did not change is not read again. */
  async scan(): Promise<readonly SkillMeta[]> {
    const isFirst = this.#skills === undefined;
    this.#skills ??= this.#open();
    const skills = await this.#skills;
    if (!isFirst) await skills.reload();
    this.#tell(skills);
    const metas = skills.catalog.skills.map((skill) => this.#describe(skill));
    this.#list = metas.sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#list;
  }

  /** The skills of the last scan by name; none before the first. */
  listSkills(): readonly SkillMeta[] {
    return this.#list;
  }

  getSkill(name: string): SkillMeta | null {
    return this.#list.find((meta) => meta.name === name) ?? null;
  }

  /** Looks again, nested folders too; true where something is not as it was. */
  async refreshIfStale(): Promise<boolean> {
    const before = JSON.stringify(this.#list);
    return JSON.stringify(await this.scan()) !== before;
  }

  #open(): Promise<Skills> {
    const { cwd } = this.#options;
    const { layout = { places: [] }, policy } = mycodeagentProfile;
    return openSkills({ roots: layoutRoots(layout, cwd === undefined ? {} : { cwd }), policy });
  }

  #tell({ catalog }: Skills): void {
    for (const { path, message, severity } of catalog.diagnostics) {
      const text = `${path}: ${message}`;
      if (severity === "info" || this.#told.has(text)) continue;
      this.#told.add(text);
      this.#options.warn?.(text);
    }
  }

  #describe(skill: Skill): SkillMeta {
    const { name, description, path, dir, root, mtimeMs } = skill;
    const base_dir = root.project === undefined ? dir : dir.slice(root.project.length).replace(/^[\\/]/, "");
    const meta = this.#metas.get(skill) ?? { name, description, path, base_dir, mtime: mtimeMs / 1000 };
    this.#metas.set(skill, meta);
    return meta;
  }
}
