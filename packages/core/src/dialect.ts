// For who writes a dialect, or reads one: escaping, fitting into a budget, Markdown without its code.
export { defuseMarkup, escapeMarkup, escapeWords, unescapeMarkup } from "./markup.ts";
export {
  type CatalogBudget,
  type CatalogForm,
  type CatalogView,
  type RenderedCatalog,
  renderCatalog,
} from "./prompt.ts";
export { proseLines } from "./prose.ts";
