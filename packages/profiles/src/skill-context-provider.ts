import { operations, type Session, type Skill, SkillError, type Skills } from "@skillholm/core/portable";
import { agentBase, renderTierTwo } from "./agent-base.ts";

/** The folders of a skill that hold its third tier. */
export type ResourceType = "scripts" | "references" | "assets";

const types: readonly string[] = ["scripts", "references", "assets"];

/** The three tiers of agent-base: what a model sees of the skills at the start, on activation and on demand. */
export class SkillContextProvider {
  readonly #skills: Skills;
  readonly #session: Session;

  constructor(skills: Skills, session: Session = skills.session()) {
    this.#skills = skills;
    this.#session = session;
  }

  /** Tier 1: every skill by name, description and place; empty when there are none. */
  getTier1Context(): string {
    return agentBase.renderCatalog({ skills: this.#session.visible() }, agentBase.limits).text;
  }

  /** Tier 2: the whole `SKILL.md`; null for a skill that cannot be had. */
  async getTier2Context(skillName: string): Promise<string | null> {
    return orNull(async () => renderTierTwo(await this.#session.activate(skillName)));
  }

  /** Tier 3: the files of one kind, by their paths in the skill. */
  async getTier3ResourceList(skillName: string, resourceType: ResourceType): Promise<string[]> {
    if (!types.includes(resourceType)) {
      throw new TypeError(`"${resourceType}" is no type of resource. Known: ${types.join(", ")}.`);
    }
    const skill = this.getSkill(skillName);
    if (skill === undefined || this.#session.judge(operations.read, skill.path) === "denied") return [];
    const { files } = await this.#skills.files(skill);
    return files.map(({ path }) => path).filter((path) => path.startsWith(`${resourceType}/`));
  }

  /** Tier 3: one file; null for what is refused or not there. */
  async getTier3Resource(skillName: string, resourcePath: string): Promise<string | null> {
    return orNull(async () => (await this.#session.read(skillName, resourcePath)).content);
  }

  getSkill(name: string): Skill | undefined {
    return this.#session.visible().find((skill) => skill.name === name);
  }

  getSkillNames(): string[] {
    return this.#session.visible().map((skill) => skill.name);
  }
}

async function orNull(read: () => Promise<string>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SkillError) return null;
    throw error;
  }
}
