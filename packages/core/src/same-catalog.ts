import type { Catalog, HiddenSkill } from "./catalog.ts";
import type { Skill } from "./skill.ts";

/** `same`: the same objects throughout. `equal`: read again, and nothing is said that was not said before. */
export function compareCatalogs(a: Catalog, b: Catalog): "same" | "equal" | "different" {
  const counts = (catalog: Catalog) => JSON.stringify(catalog.roots.map(({ exists, skills }) => [exists, skills]));
  const isSame =
    a.truncated === b.truncated &&
    counts(a) === counts(b) &&
    areAll(a.diagnostics, b.diagnostics, (one, other) => JSON.stringify(one) === JSON.stringify(other)) &&
    areAll(a.skills, b.skills, isEqualSkill) &&
    areAll(a.hidden, b.hidden, isEqualHidden);
  if (!isSame) return "different";
  const isIdentical =
    a.skills.every((skill, index) => skill === b.skills[index]) &&
    a.hidden.every(({ skill }, index) => skill === b.hidden[index]?.skill);
  return isIdentical ? "same" : "equal";
}

function areAll<T>(a: readonly T[], b: readonly T[], isEqual: (one: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index] || isEqual(one, b[index] as T));
}

function isEqualHidden(a: HiddenSkill, b: HiddenSkill): boolean {
  const { skill: one, ...first } = a;
  const { skill: other, ...second } = b;
  if (one !== other && (one === undefined || other === undefined || !isEqualSkill(one, other))) return false;
  return a.root === b.root && JSON.stringify(first) === JSON.stringify(second);
}

// The time of its last change stands for the text that a catalog does not hold.
function isEqualSkill(a: Skill, b: Skill): boolean {
  const isSameFile = a.root === b.root && a.path === b.path && a.realPath === b.realPath && a.mtimeMs === b.mtimeMs;
  return isSameFile && saysTheSame(a, b);
}

/** Whether two readings of a skill have the same length, frontmatter and `agents/openai.yaml`. */
export function saysTheSame(a: Skill, b: Skill): boolean {
  const text = (skill: Skill) => JSON.stringify([skill.size, skill.frontmatter, skill.fields.openai]);
  return text(a) === text(b);
}
