import * as z from "zod";
import { codeliaOutputs } from "./codelia-outputs.ts";

type SchemaName =
  | "skillMetadata"
  | "skillLoadError"
  | "skillCatalog"
  | "skillSearchResult"
  | "searchOutput"
  | "loadOutput"
  | "cachedOutput"
  | "skillsInspection";

/** What Codelia's tools and its RPC give, to the letter, as JSON Schema: nothing else may stand there. */
export function codeliaSchemas(): Readonly<Record<SchemaName, object>> {
  const schemas = Object.entries(codeliaOutputs).map(([name, schema]) => [name, z.toJSONSchema(schema)]);
  return Object.fromEntries(schemas);
}

/** A skill as this system tells of it, on every wire. */
export interface SkillMetadata {
  readonly id: string;
  readonly skill_id: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly dir: string;
  readonly scope: "repo" | "user";
  readonly mtime_ms: number;
}
