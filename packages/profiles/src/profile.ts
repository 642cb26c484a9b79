import type { Policy, Session } from "@skillholm/core";
import type { CatalogView, RenderedCatalog } from "@skillholm/core/dialect";
import type { SkillTool } from "@skillholm/tools";

/** How skills are loaded, and what a model sees of them, under one name. */
export interface Profile {
  readonly name: string;
  readonly policy: Policy;
  /** What the model is told at the start, within a budget in tokens; empty when there are no skills. */
  renderCatalog(view: CatalogView, budget: number): RenderedCatalog;
  createTools(session: Session): readonly SkillTool[];
}
