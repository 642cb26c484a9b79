import type { Session, Skill } from "@skillholm/core";
import type { CatalogView } from "@skillholm/core/dialect";
import { standard } from "@skillholm/profiles";
import type { UsageStore } from "@skillholm/store";

/** What the model sees at the start, and what each skill costs of it. */
export interface PromptReport {
  readonly text: string;
  readonly tokens: number;
  readonly budget: number;
  readonly shown: number;
  readonly total: number;
  /** Some skill is not shown in full. */
  readonly truncated: boolean;
  readonly entries: readonly PromptEntry[];
}

interface PromptEntry {
  readonly name: string;
  readonly path: string;
  readonly tokens: number;
  readonly shown: "full" | "short" | "name" | "none";
  readonly reason: string;
}

/** What a catalog is made from: the skills that a model may see, and which matter the most. */
export async function viewSkills(
  session: Session,
  usage: Pick<UsageStore, "counts">,
  task?: string,
): Promise<CatalogView> {
  const counts = usage.counts();
  return { ...(await session.view(task)), uses: ({ path }) => counts.get(path) ?? 0 };
}

/** Renders the catalog within a budget in tokens. */
export function renderPrompt(view: CatalogView, budget: number): PromptReport {
  const { text, cost, shown, total, truncated, entries } = standard.renderCatalog(view, budget);
  const account = entries.map(({ skill: { name, path }, cost: tokens, shown, reason }) => {
    return { name, path, tokens, shown, reason };
  });
  return { text, tokens: cost, budget, shown, total, truncated, entries: account };
}

/** What one skill costs in a catalog that has room for all. */
export function countEntry(skill: Skill): number {
  return standard.renderCatalog({ skills: [skill] }, Number.POSITIVE_INFINITY).entries[0]?.cost ?? 0;
}
