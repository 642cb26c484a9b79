import { countTokens } from "./tokens.ts";

/** The entries of a catalog that fit. */
export interface Fitted {
  readonly shown: readonly string[];
  readonly total: number;
}

/** Takes the entries that fit, in their order; the others are counted, never lost. */
export function fitEntries(entries: readonly string[], budget: number): Fitted {
  let left = budget;
  const shown = entries.filter((entry) => {
    const tokens = countTokens(`${entry}\n`);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return { shown, total: entries.length };
}
