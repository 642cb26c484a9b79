import type { SkillTool } from "./skill-tool.ts";

// What OpenAI takes; Anthropic takes the same letters, and longer names.
const longest = 64;

/**
 * The tools by the names that providers take, in their order: `skills.readResource` goes out as `skillsReadResource`. No
 * two share a name, and a name that is allowed stays as it is.
 */
export function nameForWire(tools: readonly SkillTool[]): ReadonlyMap<string, SkillTool> {
  const own = new Set(tools.map(({ name }) => name));
  const named = new Map<string, SkillTool>();
  for (const tool of tools) {
    const isFree = (name: string) => !named.has(name) && (name === tool.name || !own.has(name));
    named.set(freeName(wireName(tool.name), isFree), tool);
  }
  return named;
}

function wireName(name: string): string {
  const joined = name.replace(/[^a-zA-Z0-9_-]+([a-z])?/g, (_, next: string = "") => next.toUpperCase());
  return joined.slice(0, longest) || "tool";
}

function freeName(name: string, isFree: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; !isFree(free); count++) {
    const ending = `_${count}`;
    free = name.slice(0, longest - ending.length) + ending;
  }
  return free;
}
