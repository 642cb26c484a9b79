import * as z from "zod";

const absolute = z.string().min(1);
const count = z.int().min(0);

const skillScope = z.enum(["repo", "user"]);

const skillMetadata = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  skill_id: z.string().regex(/^[0-9a-f]{16}$/),
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  description: z.string().min(1),
  path: absolute,
  dir: absolute,
  scope: skillScope,
  mtime_ms: z.number(),
});

const skillLoadError = z.strictObject({ path: absolute, message: z.string().min(1) });

const skillCatalog = z.strictObject({
  skills: z.array(skillMetadata),
  errors: z.array(skillLoadError),
  truncated: z.boolean(),
});

const skillSearchResult = z.strictObject({
  score: z.number().min(0).max(1),
  reason: z.enum(["exact_path", "exact_name", "prefix", "token_overlap"]),
  skill: skillMetadata,
});

const searchOutput = z.strictObject({
  query: z.string(),
  count,
  truncated: z.boolean(),
  results: z.array(skillSearchResult),
});

/** The same keys, whether it was loaded or not. */
const loadOutput = z.strictObject({
  ok: z.boolean(),
  error: z.string().nullable(),
  ambiguous_paths: z.array(absolute),
  already_loaded: z.boolean(),
  skill: skillMetadata.nullable(),
  content: z.string().nullable(),
  files: z.array(absolute),
  files_truncated: z.boolean(),
});

const cachedOutput = z.strictObject({ ref: z.string(), content: z.string() });

const skillsInspection = z.strictObject({
  enabled: z.boolean(),
  root_dir: absolute,
  working_dir: absolute,
  catalog: skillCatalog,
  loaded_versions: z.array(z.strictObject({ path: absolute, mtime_ms: z.number() })),
});

/** What Codelia's tools and its RPC give, to the letter. */
export const codeliaOutputs = {
  skillMetadata,
  skillLoadError,
  skillCatalog,
  skillSearchResult,
  searchOutput,
  loadOutput,
  cachedOutput,
  skillsInspection,
};
