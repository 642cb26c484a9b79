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

const usage = `You have access to the following skills. Each has an id and a short description. To use a skill, call the ${toolName} tool with the path to its SKILL.md or to other files under that skill's directory (the path is relative to the run directory; ${toolName} can read any file under it with an allowed extension). System skills lie in ${systemFolder}/<id>/, user skills in ${userFolder}/<id>/.`;

function idOf({ dir }: Skill): string {
  return dir.slice(Math.max(dir.lastIndexOf("/"), dir.lastIndexOf("\\")) + 1);
}

function isSystem({ scope }: Skill): boolean {
  return scope === "system";
}

/** One line of each, whatever line breaks it has. */
function oneLine(text: string): string {
  return dropHidden(text).replace(/\s+/g, " ").trim();
}

function renderEntry(skill: Skill): string {
  const source = isSystem(skill) ? "system" : "user";
  return `- id: ${idOf(skill)} (${source}); name: ${oneLine(skill.name)}; description: ${oneLine(skill.description)}`;
}

/** The skill that a path relative to the run directory leads into, and the file in it. */
function findInSkills(
  session: Session,
  cwd: string,
  path: string,
): { readonly skill: Skill; readonly file: string } | undefined {
  for (const skill of session.visible()) {
    const folders = [relativeTo(cwd, skill.dir), `${isSystem(skill) ? systemFolder : userFolder}/${idOf(skill)}`];
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    if (folder !== undefined) return { skill, file: path.slice(folder.length + 1) };
  }
  return undefined;
}

function relativeTo(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function checkPath(path: string, { extensions }: HostFiles): string {
  if (/^[\\/~]|^[A-Za-z]:|\\|\0/.test(path) || path.split("/").includes("..")) {
    throw new SkillError("path-outside-skill", "the path must stay under the run directory; give it relative to that.");
  }
  const clean = path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  const name = clean.slice(clean.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot).toLowerCase();
  if (extensions.some((each) => each.toLowerCase() === extension)) return clean;
  throw new SkillError("permission-denied", `only files with these extensions can be read: ${extensions.join(", ")}.`);
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
    // A file of a skill is read as that skill's, so that what was decided about it counts.
    const found = findInSkills(session, cwd, path);
    if (found !== undefined) return (await session.read(found.skill.path, found.file)).content;
    if (session.judge(operations.read) === "denied") throw new SkillError("permission-denied", "a rule denies it.");
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

function decode(bytes: Uint8Array, path: string): string {
  try {
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
