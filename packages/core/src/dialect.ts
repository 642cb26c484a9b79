// For who writes what a model sees: escaping, and fitting into a budget.
export { defuseMarkup, escapeMarkup, unescapeMarkup } from "./markup.ts";
export { fitEntries } from "./prompt.ts";
