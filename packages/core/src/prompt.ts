import {
  type CatalogBudget,
  type CatalogForm,
  type CatalogView,
  EntryChooser,
  reasonOf,
  type ShownAs,
} from "./choose-entries.ts";
import type { Skill } from "./skill.ts";

/** One skill in a catalog: what it costs there, and why it is shown so. */
interface CatalogEntry {
  readonly skill: Skill;
  readonly shown: ShownAs;
  /** In the budget's measure. */
  readonly cost: number;
  readonly reason: string;
}

/** The catalog as a model sees it, and an account of it: every skill is either shown or counted. */
export interface RenderedCatalog {
  readonly text: string;
  readonly cost: number;
  readonly shown: number;
  readonly total: number;
  /** Some skill is not shown in full. */
  readonly truncated: boolean;
  readonly entries: readonly CatalogEntry[];
  /** What is new, changed or gone since, for a conversation that was told this; empty when nothing is. */
  changes(now: CatalogView): string;
}

/**
 * Writes a catalog within a budget: everything in full if it fits; else descriptions are shortened evenly, those for the
 * task at hand last, down to names; what still does not fit is left out and counted.
 */
export function renderCatalog(view: CatalogView, budget: CatalogBudget, form: CatalogForm): RenderedCatalog {
  const total = view.skills.length;
  const changes = (now: CatalogView) => renderChanges(view, now, budget, form);
  if (total === 0) return { text: "", cost: 0, shown: 0, total, truncated: false, entries: [], changes };
  const chooser = new EntryChooser(view, budget, form);
  const frame = budget.measure(form.renderFrame([], { shown: total, total: total + 1 }));
  let room = budget.limit - frame;
  for (;;) {
    const choices = chooser.choose(room);
    const shown = choices.filter(({ way }) => way.shown !== "none");
    const texts = shown.map(({ way }) => way.text);
    const text = room < 0 ? "" : form.renderFrame(texts, { shown: texts.length, total });
    const cost = budget.measure(text);
    // What entries cost one by one and together may differ.
    if (cost > budget.limit && room >= 0) {
      room = Math.min(room - 1, room - (cost - budget.limit));
      continue;
    }
    const entries = choices.map((choice) => {
      return { skill: choice.skill, shown: choice.way.shown, cost: choice.way.cost, reason: reasonOf(choice) };
    });
    const truncated = entries.some((entry) => entry.shown !== "full");
    return { text, cost, shown: shown.length, total, truncated, entries, changes };
  }
}

/** Only the difference, so that what a provider has cached of a conversation stays. */
function renderChanges(before: CatalogView, now: CatalogView, budget: CatalogBudget, form: CatalogForm): string {
  // Who was told nothing is told everything.
  if (before.skills.length === 0) return renderCatalog(now, budget, form).text;
  const told = new Set(before.skills.map(({ name, description }) => `${name}\0${description}`));
  const names = new Set(now.skills.map(({ name }) => name));
  const skills = now.skills.filter(({ name, description }) => !told.has(`${name}\0${description}`));
  const gone = [...new Set(before.skills.map(({ name }) => name))].filter((name) => !names.has(name));
  if (skills.length === 0 && gone.length === 0) return "";
  const frame: CatalogForm = { ...form, renderFrame: (entries, counts) => form.renderChanges(entries, gone, counts) };
  const { text } = renderCatalog({ ...now, skills }, budget, frame);
  // What is gone must be said, whatever there is room for.
  return text === "" ? form.renderChanges([], gone, { shown: 0, total: skills.length }) : text;
}
