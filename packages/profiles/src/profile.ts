import type { Catalog, Policy, RootLayout, Session } from "@skillholm/core";
import type { CatalogView, RenderedCatalog } from "@skillholm/core/dialect";
import type { SkillTool } from "@skillholm/tools";

/** What a catalog may take, whatever comes first. */
export interface CatalogLimits {
  readonly tokens: number;
  readonly entries?: number;
  /** Of the entries together. */
  readonly bytes?: number;
  readonly characters?: number;
}

/** What tools need of the program that they run in. */
export interface ToolHost {
  /** The folder that the conversation is about. */
  readonly cwd: string;
  /** What a list of skills in a tool's description may take. */
  readonly catalog?: CatalogLimits;
  /** Files beside the skills; absent: a tool that reads any serves skills only. */
  readonly files?: HostFiles;
}

/** The files of a folder that a model may read. */
export interface HostFiles {
  /** With the dot: `.md`. */
  readonly extensions: readonly string[];
  /** Throws a `SkillError` for what lies outside, or may not be read. */
  read(path: string): Promise<Uint8Array>;
}

/** How skills are loaded, and what a model sees of them, under one name. */
export interface Profile {
  readonly name: string;
  readonly policy: Policy;
  /** Where it looks; absent: where agents agree to look, and those that are switched on. */
  readonly layout?: RootLayout;
  /** Unless somebody says otherwise. */
  readonly limits: CatalogLimits;
  /** What the model is told at the start; empty when there are no skills. */
  renderCatalog(view: CatalogView, limits: CatalogLimits): RenderedCatalog;
  createTools(session: Session, host: ToolHost): readonly SkillTool[];
  /** What its own listing says of all skills, beside what every listing says. */
  describeCatalog?(catalog: Catalog): object;
}
