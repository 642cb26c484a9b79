import type { Policy, Session } from "@skillholm/core";
import type { SkillTool } from "@skillholm/tools";

/** How skills are loaded, and what a model sees of them, under one name. */
export interface Profile {
  readonly name: string;
  readonly policy: Policy;
  /** What the model is told at the start, within a budget in tokens; empty when there are no skills. */
  renderCatalog(session: Session, budget: number): string;
  createTools(session: Session): readonly SkillTool[];
}
