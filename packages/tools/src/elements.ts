/** The elements that we put around what skills say: a text of theirs can neither close nor forge one. */
export const elements: readonly string[] = [
  "skill_content",
  "skill_resources",
  "skill_resource",
  "skill_reminder",
  "available_skills",
  "changed_skills",
  "search_results",
  "active_skill",
];
