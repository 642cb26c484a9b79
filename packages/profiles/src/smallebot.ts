import { dropHidden } from "@skillholm/core/dialect";
import { type Catalog, operations, type Session, type Skill, SkillError } from "@skillholm/core/portable";
import { createTool, type SkillTool } from "@skillholm/tools";
import * as z from "zod";
import { listEntries } from "./list-entries.ts";
import { smallebotProfile } from "./policies.ts";
import { type HostFiles, nowhere, type Profile, type ToolHost } from "./profile.ts";

const toolName = "ReadFile";
const systemFolder = ".agents/sys.skills";
const userFolder = ".agents/skills";

const usage = `You have access to the following skills. Each has an id and a short description. To use a skill, call the ${toolName} tool with the path to its SKILL.md or other files under that skill's directory (path is relative to the run directory; ${toolName} can read any file under it with allowed extensions). System skills lie in ${systemFolder}/<id>/, user skills in ${userFolder}/<id>/.`;

function idOf({ dir }: Skill): string {
  return dir.slice(Math.max(dir.lastIndexOf("/"), dir.lastIndexOf("\\")) + 1);
}

function isSystem({ scope }: Skill): boolean {
  return scope === "system";
}

/** One line of each, whatever line breaks it has. */
function oneLine(text: string): string {
  const blanks = /\s+/g;
  return dropHidden(` ${text.replace(blanks, " ")} `)
    .replace(blanks, " ")
    .trim();
}

/** In quotes, with escapes, where it could be taken for more than itself: an id is part of a path, to the letter. */
function quoteWhere(isSpecial: RegExp, text: string): string {
  const isPlain = text !== "" && !isSpecial.test(text) && oneLine(text) === text;
  return isPlain ? text : Array.from(JSON.stringify(text), toVisible).join("");
}

function toVisible(sign: string): string {
  if (dropHidden(`a${sign}a`) !== "aa") return sign;
  const units = sign.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

function renderEntry(skill: Skill): string {
  const source = isSystem(skill) ? "system" : "user";
  const id = quoteWhere(/[;"()]/, idOf(skill));
  const name = quoteWhere(/;|^"/, oneLine(skill.name));
  return `- id: ${id} (${source}); name: ${name}; description: ${oneLine(skill.description)}`;
}

/** A file of a skill. */
interface SkillPlace {
  /** The path of the skill's `SKILL.md`. */
  readonly skill: string;
  readonly dir: string;
  readonly file: string;
}

/** The skill that a path relative to the run directory leads into, and the file in it. */
function findInSkills(session: Session, cwd: string, path: string): SkillPlace | undefined {
  for (const skill of session.visible()) {
    const folders = [relativeTo(cwd, skill.dir), `${isSystem(skill) ? systemFolder : userFolder}/${idOf(skill)}`];
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    if (folder !== undefined) return { skill: skill.path, dir: skill.dir, file: path.slice(folder.length + 1) };
  }
  return undefined;
}

/** The same for a place on disk: by whatever link it was reached, and also for skills that the model may not know of. */
function findAround(session: Session, place: string): SkillPlace | undefined {
  const separator = place.includes("/") ? "/" : "\\";
  for (let at = place.lastIndexOf(separator); at > 0; at = place.lastIndexOf(separator, at - 1)) {
    const dir = place.slice(0, at);
    const skill = `${dir}${separator}SKILL.md`;
    try {
      session.judge(operations.read, skill);
      return { skill, dir, file: place.slice(at + 1).replaceAll(separator, "/") };
    } catch (error) {
      if (!(error instanceof SkillError) || !noSkill.includes(error.code)) throw error;
    }
  }
  return undefined;
}

// What is no skill is a file like others.
const noSkill: readonly string[] = ["skill-not-found", "skill-invalid", "skill-over-limit"];

function relativeTo(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function checkPath(path: string, { extensions }: HostFiles): string {
  const clean = /^[\\/~]|^[A-Za-z]:|\\|\0/.test(path) ? undefined : withoutDetours(path);
  if (clean === undefined) {
    throw new SkillError("path-outside-skill", "the path must stay under the run directory; give it relative to that.");
  }
  const name = clean.slice(clean.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot).toLowerCase();
  if (extensions.some((each) => each.toLowerCase() === extension)) return clean;
  throw new SkillError("permission-denied", `only files with these extensions can be read: ${extensions.join(", ")}.`);
}

/** The path without `.` and `..`; undefined where it would leave the folder that it begins in. */
function withoutDetours(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "" && part !== "." && part !== "..") parts.push(part);
  }
  return parts.join("/");
}

const noFiles: HostFiles = {
  extensions: [".md", ".cs", ".py", ".txt", ".json", ".yml", ".yaml"],
  read: async (path) => {
    throw new SkillError("resource-not-found", `there is no file "${path}".`);
  },
};

function createReadFileTool(session: Session, { cwd, files = noFiles }: ToolHost): SkillTool {
  const read = async (given: string): Promise<string> => {
    const path = checkPath(given, files);
    const place = files.locate?.(path);
    // A file of a skill is read as that skill's, so that what was decided about it counts.
    const found = findInSkills(session, cwd, path) ?? (place === undefined ? undefined : findAround(session, place));
    if (found !== undefined) return readOfSkill(session, files, found);
    await session.permit(operations.read);
    return decode(await files.read(path), path);
  };
  return createTool({
    name: toolName,
    title: "Read a file",
    description: `Reads a text file under the run directory. Allowed extensions: ${files.extensions.join(", ")}.`,
    inputSchema: z.object({ path: z.string().min(1).max(4096).describe("Relative to the run directory") }),
    run: async ({ path }) => ({ content: await read(path) }),
    render: ({ content }) => content,
    refuse: ({ message }) => ({ text: `Error: ${message}`, structured: { content: `Error: ${message}` } }),
  });
}

async function readOfSkill(session: Session, files: HostFiles, { skill, dir, file }: SkillPlace): Promise<string> {
  files.locate?.(file, dir);
  const { content, removed, bytes } = await session.read(skill, file);
  if (removed === undefined) return content;
  throw new SkillError("resource-too-large", `"${file}" has ${bytes} bytes; at most ${bytes - removed} are read.`);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    if (bytes.includes(0)) throw new TypeError("text has no NUL");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SkillError("resource-binary", `"${path}" is no text.`);
  }
}

function describeCatalog({ skills }: Catalog): object {
  return {
    skills: skills.map((skill) => {
      return { id: idOf(skill), name: skill.name, description: skill.description, isSystem: isSystem(skill) };
    }),
  };
}

/** SmallEBot: system skills and a person's own, by id, read with a tool that reads any file under the run directory. */
export const smallebot: Profile = {
  ...smallebotProfile,
  readsAnyFile: true,
  renderCatalog: (view, limits) =>
    listEntries(view, limits, {
      renderEntry,
      renderFrame: (entries, { shown, total }) => {
        const more = shown < total ? [`These are ${shown} of ${total} skills; there is no room for the others.`] : [];
        return [usage, ...entries, ...more].join("\n");
      },
    }),
  createTools: (session, host = nowhere) => [createReadFileTool(session, host)],
  describeCatalog,
};
