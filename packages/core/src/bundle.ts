import { type BundleLanguage, renderBundle } from "./bundle-module.ts";
import { groupTwins } from "./catalog.ts";
import { compareText } from "./diagnostic.ts";
import { isSkippedFolder, skillFile } from "./discover.ts";
import { SkillError } from "./error.ts";
import type { LoadedSkills } from "./load.ts";
import type { Skill } from "./skill.ts";

/** Skills as the text of one module, to be imported where there is no disk. */
export interface Bundle {
  /** An ES module without imports: `files` for `createMemorySource`, and the `roots` to them. */
  readonly text: string;
  /** How many files of skills are in it. */
  readonly files: number;
}

export interface BundleOptions {
  /** `typescript`: with the types that let it pass a strict compiler. */
  readonly language?: BundleLanguage;
}

// A text of JavaScript holds 2^29 characters, and a byte may need six of them.
const mostBytes = 64 * 1024 * 1024;

/** Reads every file of the skills; throws a `SkillError` that names what cannot be in a bundle. */
export async function bundleSkills(
  skills: LoadedSkills,
  chosen: readonly Skill[],
  { language = "javascript" }: BundleOptions = {},
): Promise<Bundle> {
  const files = new Map<string, Uint8Array>();
  let room = mostBytes;
  for (const [folder, skill] of placeSkills([...new Set(chosen)])) {
    for (const file of await listFiles(skills, skill)) {
      const bytes = await naming(skill, skills.read(skill, file));
      room -= bytes.length;
      if (room < 0) throw refuse(skill, "resource-too-large", `with "${file}" there are more than ${mostBytes} bytes.`);
      files.set(`${folder}/${file}`, bytes);
    }
  }
  return { text: renderBundle(files, language), files: files.size };
}

/** Each skill below `/skills` in a folder of its own name; a second of that name lies in a numbered folder. */
function placeSkills(chosen: readonly Skill[]): ReadonlyMap<string, Skill> {
  checkTwins(chosen);
  // By name, which is the same on every machine; a path is not.
  const sorted = chosen.toSorted((a, b) => compareText(a.name, b.name));
  const folders = new Set(sorted.map(folderOf));
  const places = new Map<string, Skill>();
  for (const skill of sorted) {
    const folder = folderOf(skill);
    let place = `/skills/${folder}`;
    // A number that is itself a skill's folder would hide what lies below it.
    for (let parent = 2; places.has(place); parent++) {
      if (!folders.has(`${parent}`)) place = `/skills/${parent}/${folder}`;
    }
    places.set(place, skill);
  }
  return places;
}

// In one root the order of folders would decide who answers to the name, and not who did before.
function checkTwins(chosen: readonly Skill[]): void {
  const [twins = []] = groupTwins(chosen, { identity: "name" });
  const [first] = twins;
  if (first === undefined) return;
  const paths = twins.map((skill) => skill.path);
  const message = `A bundle has one skill of a name. Choose one "${first.name}": ${paths.join(", ")}.`;
  throw new SkillError("skill-ambiguous", message, { name: first.name, paths });
}

function folderOf(skill: Skill): string {
  const folder = skill.dir.slice(skill.dir.lastIndexOf(skill.dir.includes("/") ? "/" : "\\") + 1);
  if (folder !== "" && !isSkippedFolder(folder)) return folder;
  throw refuse(skill, "invalid-input", `its folder is named "${folder}", where no skill is looked for. Rename it.`);
}

async function listFiles(skills: LoadedSkills, skill: Skill): Promise<readonly string[]> {
  const { files, truncated } = await naming(skill, skills.files(skill));
  if (truncated) throw refuse(skill, "unavailable", `it has more than ${skills.limits.files} files and folders.`);
  const paths = files.map(({ path }) => path);
  if (!paths.includes(skillFile)) throw refuse(skill, "resource-not-found", `it has no ${skillFile} any more.`);
  const outside = paths.find((path) => path.split("/").some((part) => ["", ".", ".."].includes(part)));
  if (outside !== undefined) throw refuse(skill, "path-outside-skill", `"${outside}" lies outside its folder.`);
  return paths;
}

/** What a source says of a file, with the skill whose file it is. */
async function naming<T>(skill: Skill, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof SkillError ? refuse(skill, error.code, error.message) : error;
  }
}

function refuse({ name, path }: Skill, code: SkillError["code"], why: string): SkillError {
  return new SkillError(code, `"${name}" cannot be bundled: ${why}`, { name, path });
}
