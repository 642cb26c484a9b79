/** A frontmatter value with its exact text: `version: 1.10` stays `1.10`. */
export type FieldValue = string | readonly FieldValue[] | { readonly [key: string]: FieldValue };

/** Every key of a skill's frontmatter, known or not. */
export type Frontmatter = { readonly [key: string]: FieldValue };

/** Narrows a value to a list; `Array.isArray` alone loses the type of the items. */
export function isList(value: FieldValue): value is readonly FieldValue[] {
  return Array.isArray(value);
}

/** Narrows a value to a mapping. */
export function isMap(value: FieldValue): value is Frontmatter {
  return typeof value === "object" && !Array.isArray(value);
}
