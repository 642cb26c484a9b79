import { countTokens } from "./tokens.ts";

/** The entries of a catalog that fit. */
export interface Fitted {
  readonly shown: readonly string[];
  readonly total: number;
}

/** Takes entries in their order for as long as the budget lasts; what does not fit is counted, never lost. */
export function fitEntries(entries: readonly string[], budget: number): Fitted {
  let left = budget;
  let fits = 0;
  for (const entry of entries) {
    left -= countTokens(`${entry}\n`);
    if (left < 0) break;
    fits++;
  }
  return { shown: entries.slice(0, fits), total: entries.length };
}
