import type { CatalogView, RenderedCatalog } from "@skillholm/core/dialect";
import type { Catalog, Session } from "@skillholm/core/portable";
import type { SkillTool } from "@skillholm/tools/skill-tool";
import type { CatalogLimits, ProfilePolicy } from "./policies.ts";

/** What tools need of the program that they run in. */
export interface ToolHost {
  /** The folder that the conversation is about. */
  readonly cwd: string;
  /** What a list of skills in a tool's description may take. */
  readonly catalog?: CatalogLimits;
  /** `enum`: the schema of the tool that activates names every skill. */
  readonly names?: "text" | "enum";
  /** Whether a person asks by it, who may mean skills by more than their names. */
  readonly forPeople?: true;
  /** Files beside the skills; absent: a tool that reads any serves skills only. */
  readonly files?: HostFiles;
}

/** The files of a folder that a model may read. */
export interface HostFiles {
  /** With the dot: `.md`. */
  readonly extensions: readonly string[];
  /** Where a path really leads below the folder, or another; undefined elsewhere. Throws for what is never served. */
  locate?(path: string, from?: string): string | undefined;
  /** Throws a `SkillError` for what lies outside, or may not be read. */
  read(path: string): Promise<Uint8Array>;
}

/** A tool's name and its input. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** For who has no program around the tools. */
export const nowhere: ToolHost = { cwd: "" };

/** How skills are loaded, and what a model sees of them, under one name. */
export interface Profile extends ProfilePolicy {
  /** What the model is told at the start; empty when there are no skills. */
  renderCatalog(view: CatalogView, limits: CatalogLimits): RenderedCatalog;
  /** Its prompt holds the project's `AGENTS.md` files above the catalog. */
  readonly agentsFiles?: true;
  createTools(session: Session, host?: ToolHost): readonly SkillTool[];
  /** Long instructions can be had by sections, and a repeat is a reminder. */
  readonly givesSections?: true;
  /** Its models can ask for what was given before. */
  readonly givesAgain?: true;
  /** Its tools are of use without skills too. */
  readonly readsAnyFile?: true;
  /** A skill can be given what to work on. */
  readonly takesArguments?: true;
  /** The call that loads a skill, where its result has a shape of its own. */
  loadCall?(reference: string, given?: string): ToolCall;
  /** The call that reads a file of a skill, likewise. */
  readCall?(reference: string, path: string): ToolCall;
  /** What stands below instructions of which a limit cut so many bytes. */
  cutNotice?(removed: number): string;
  /** What its own listing says of all skills, beside what every listing says. */
  describeCatalog?(catalog: Catalog): object;
}
