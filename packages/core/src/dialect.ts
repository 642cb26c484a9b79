// For who writes a dialect, or reads one: escaping, fitting into a budget, Markdown without its code; and for who writes a runner.
export { cutBytes } from "./body.ts";
export type { CatalogBudget, CatalogForm, CatalogView } from "./choose-entries.ts";
export { type Grant, parseGrant } from "./grant.ts";
export { sha256 } from "./hash.ts";
export { isForModels } from "./lookup.ts";
export { defuseMarkup, dropHidden, escapeMarkup, escapeWords, unescapeMarkup } from "./markup.ts";
export { type RenderedCatalog, renderCatalog } from "./prompt.ts";
export { proseLines } from "./prose.ts";
export { problemNow } from "./recheck.ts";
export { toBase64 } from "./resources.ts";
export { cutAt, findCuts } from "./shorten.ts";
