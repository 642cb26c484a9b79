import { createSession, type Skill, type Skills } from "@skillholm/core";
import { standard } from "@skillholm/profiles";

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

/** Renders the catalog within a budget in tokens; with a task, what it is for gets the space. */
export async function renderPrompt(skills: Skills, budget: number, task?: string): Promise<PromptReport> {
  const { text, cost, shown, total, truncated, entries } = standard.renderCatalog(
    await createSession(skills).view(task),
    budget,
  );
  const account = entries.map(({ skill: { name, path }, cost: tokens, shown, reason }) => {
    return { name, path, tokens, shown, reason };
  });
  return { text, tokens: cost, budget, shown, total, truncated, entries: account };
}

/** What one skill costs in a catalog that has room for all. */
export function countEntry(skill: Skill): number {
  return standard.renderCatalog({ skills: [skill] }, Number.POSITIVE_INFINITY).entries[0]?.cost ?? 0;
}
