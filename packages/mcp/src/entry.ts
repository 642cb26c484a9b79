import {
  SKILL_LIMITS,
  SkillCatalogError,
  type Skill as SkillEntry,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
import { cutAt, findCuts } from "@skillholm/core/dialect";
import { type Skill, SkillError, type Skills } from "@skillholm/core/portable";

/** How a skill reaches clients that keep to the extension. */
export type Serving =
  | { readonly served: "whole" }
  /** With a frontmatter that the extension takes: the body and the other files are as they are. */
  | { readonly served: "shortened"; readonly reason: string }
  | { readonly served: "tools-only"; readonly reason: string };

/** The entry of a skill, absent where only tools can give it. */
export interface BuiltEntry {
  readonly serving: Serving;
  readonly entry?: SkillEntry;
}

/** A `SKILL.md` as it is served. */
interface Manifest {
  readonly serving: Serving;
  readonly bytes: Uint8Array;
}

const manifestFile = "SKILL.md";
const mostDescription = 1024;
const mostCompatibility = 500;
const reserved = "io.modelcontextprotocol/";

/** Why the extension cannot name a skill at all, by what is known without reading anything. */
export function nameProblem(name: string): string | undefined {
  if (/^[\da-z]+(?:-[\da-z]+)*$/.test(name) && name.length <= 64) return undefined;
  return "a name has 1 to 64 of a to z, digits and single hyphens, and another name would be another skill";
}

/** The description, cut where the extension has no room for more. */
export function fitDescription(description: string): string {
  return fit(description, mostDescription);
}

/** Reads every file of a skill, and says what a client may check them by. */
export async function buildEntry(skills: Skills, skill: Skill): Promise<BuiltEntry> {
  try {
    const problem = nameProblem(skill.name);
    if (problem !== undefined) return toolsOnly(problem);
    const { files, truncated } = await skills.files(skill);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (truncated || files.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes) {
      return toolsOnly(`a skill has at most ${SKILL_LIMITS.files} files and ${SKILL_LIMITS.bytes} bytes`);
    }
    const contents: Record<string, Uint8Array> = {};
    for (const { path } of files) contents[path] = await skills.read(skill, path);
    const { serving, bytes: manifest } = await fitManifest(skills, skill, contents[manifestFile] ?? new Uint8Array());
    if (serving.served === "tools-only") return { serving };
    return { serving, entry: await skillEntry(skill.name, { ...contents, [manifestFile]: manifest }) };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof SkillError || error instanceof SkillCatalogError || error instanceof URIError) {
      return toolsOnly(message);
    }
    throw error;
  }
}

/**
 * A `SKILL.md` that clients take: as it is, or with its frontmatter written anew from what was read of it. They compare
 * the entry with the file, so that both have to say the same.
 */
export async function fitManifest(skills: Skills, skill: Skill, bytes: Uint8Array): Promise<Manifest> {
  const problem = await problemOf(skill.name, bytes);
  if (problem === undefined) return { serving: { served: "whole" }, bytes };
  const fitted = new TextEncoder().encode(writeManifest(skill, await skills.body(skill)));
  const left = await problemOf(skill.name, fitted);
  if (left !== undefined) return { serving: { served: "tools-only", reason: left }, bytes };
  return { serving: { served: "shortened", reason: problem }, bytes: fitted };
}

function toolsOnly(reason: string): BuiltEntry {
  return { serving: { served: "tools-only", reason } };
}

async function problemOf(name: string, manifest: Uint8Array): Promise<string | undefined> {
  try {
    const { frontmatter } = await skillEntry(name, { [manifestFile]: manifest });
    const keys = Object.keys((frontmatter.metadata ?? {}) as object);
    return keys.some((key) => key.startsWith(reserved)) ? `metadata may not begin with ${reserved}` : undefined;
  } catch (error) {
    if (error instanceof SkillCatalogError) return error.problems.map(({ message }) => message).join("; ");
    throw error;
  }
}

/** Every value as JSON, which is YAML that nobody reads otherwise. */
function writeManifest({ name, description, frontmatter, fields }: Skill, body: string): string {
  const own = Object.entries(frontmatter).filter(([key]) => !rewritten.has(key.toLowerCase()));
  const metadata = Object.entries(fields.metadata ?? {}).filter(([key]) => !key.startsWith(reserved));
  const values = {
    name,
    description: fitDescription(description),
    ...(fields.compatibility && { compatibility: fit(fields.compatibility, mostCompatibility) }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
    ...Object.fromEntries(own),
  };
  const lines = Object.entries(values).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`;
}

const rewritten = new Set(["name", "description", "compatibility", "metadata"]);

/** Cut at the end of a sentence where there is one. */
function fit(text: string, most: number): string {
  if (text.length <= most) return text;
  // One for the sign that there is more.
  return cutAt(text, findCuts(text, most - 1).at(-1) ?? most - 1);
}
