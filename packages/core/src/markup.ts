// Control characters, and what nobody can see or what turns the direction of text around. Line breaks and tabs stay, and
// so do the joiners and the selector that scripts and emoji are made with, except between two ASCII signs.
const hidden =
  /(?!\t|\n|\r|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Surrogate}\ufff9-\ufffb]/gu;
const joiners = /(?<=[\0-\x7f])(?:\u200c|\u200d|\ufe0f)+(?=[\0-\x7f])/gu;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Somebody's text for inside an element or an attribute: it can neither open nor close one, nor hide anything. */
export function escapeMarkup(text: string): string {
  return dropHidden(text).replace(/[&<>"]/g, (char) => entities[char] ?? char);
}

/** The inverse of `escapeMarkup` for what it kept. */
export function unescapeMarkup(text: string): string {
  const chars = new Map(Object.entries(entities).map(([char, entity]) => [entity, char]));
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => chars.get(entity) ?? entity);
}

/** Somebody's text without what nobody can see, for where quotes and not markup keep it apart. */
export function dropHidden(text: string): string {
  // One after the other: what stands beside a joiner may be hidden itself.
  return text.replace(hidden, "").replace(joiners, "");
}

/** Somebody's words in a sentence for a model: they stay words. */
export function escapeWords(text: string): string {
  return dropHidden(text).replaceAll("<", "&lt;");
}

/** Every element that some dialect puts around what skills say. */
const ownElements: readonly string[] = [
  "active_skill",
  "agents_context",
  "agents_file",
  "available_skills",
  "changed_skills",
  "search_results",
  "skill_content",
  "skill_context",
  "skill_context_reminder",
  "skill_files",
  "skill_reminder",
  "skill_resource",
  "skill_resources",
  "skills_catalog",
  "skills_context",
  "skills_usage",
];

/** Long text that keeps its own markup, except for the elements that wrap it: those it can neither close nor forge. */
export function defuseMarkup(text: string, elements: readonly string[] = ownElements): string {
  // Bounded: two open-ended runs of blanks would take quadratic time on a text made for it.
  const tag = new RegExp(`<(?=[\\s/\\u200c\\u200d\\ufe0f]{0,16}(?:${elements.join("|")})(?![\\w-]))`, "gi");
  return dropHidden(text).replace(tag, "&lt;");
}
