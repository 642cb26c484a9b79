import type { CatalogView, RenderedCatalog } from "@skillholm/core/dialect";
import { countTokens, type Skill } from "@skillholm/core/portable";
import type { CatalogLimits } from "./policies.ts";

/** How a dialect that never shortens writes its catalog. */
export interface ListForm {
  renderEntry(skill: Skill): string;
  renderFrame(entries: readonly string[], counts: { readonly shown: number; readonly total: number }): string;
}

/** Writes entries whole and in order, up to the first that is over a limit; the frame says what is missing. */
export function listEntries(view: CatalogView, limits: CatalogLimits, form: ListForm): RenderedCatalog {
  const { skills } = view;
  const total = skills.length;
  const changes = (now: CatalogView) => {
    const { text } = listEntries(now, limits, form);
    return text === listEntries(view, limits, form).text ? "" : text;
  };
  if (total === 0) return { text: "", cost: 0, shown: 0, total, truncated: false, entries: [], changes };
  const texts = takeWithin(skills.map(form.renderEntry), limits);
  for (;;) {
    const shown = texts.length;
    const text = form.renderFrame(texts, { shown, total });
    const cost = countTokens(text);
    if (cost > limits.tokens && shown > 0) {
      texts.length = Math.min(shown - 1, Math.floor((shown * limits.tokens) / cost));
      continue;
    }
    const entries = skills.map((skill, index) => {
      const isShown = index < shown;
      const reason = isShown ? "it fits" : "there is no room for it";
      return { skill, shown: isShown ? "full" : "none", cost: countTokens(texts[index] ?? ""), reason } as const;
    });
    return { text, cost, shown, total, truncated: shown < total, entries, changes };
  }
}

function takeWithin(texts: readonly string[], { entries, bytes, characters }: CatalogLimits): string[] {
  const encoder = new TextEncoder();
  let usedBytes = 0;
  let usedCharacters = 0;
  const taken: string[] = [];
  for (const text of texts) {
    usedBytes += encoder.encode(`${text}\n`).length;
    usedCharacters += Array.from(text).length + 1;
    const isOver = taken.length >= (entries ?? Number.POSITIVE_INFINITY);
    if (isOver || usedBytes > (bytes ?? usedBytes) || usedCharacters > (characters ?? usedCharacters)) break;
    taken.push(text);
  }
  return taken;
}
