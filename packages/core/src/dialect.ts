// For who writes a dialect: escaping, and fitting into a budget.
export { defuseMarkup, escapeMarkup, escapeWords, unescapeMarkup } from "./markup.ts";
export { fitEntries } from "./prompt.ts";
