import type { Catalog, Skill } from "@skillholm/core";
import { z } from "zod";
import type { RpcMethod } from "./json-rpc.ts";

/** What the methods ask of their host. */
export interface RpcSkills {
  readonly version: string;
  readonly workingFolder: string;
  readonly projectFolder: string;
  readonly enabled: boolean;
  /** The skills as seen from a folder; `fresh` looks at the disk again. */
  catalog(folder: string | undefined, fresh: boolean): Promise<Catalog>;
  /** What the model would see right now, and what each skill costs of it. */
  prompt(): Promise<object>;
  describe(skill: Skill): Promise<object>;
  /** The skills that the conversation has loaded. */
  loaded(): Promise<readonly { readonly path: string; readonly mtimeMs: number }[]>;
  call(name: string, input: unknown): Promise<object>;
}

/** `initialize`, `skills.list`, `context.inspect` and `tools.call`. */
export function createSkillMethods(skills: RpcSkills): Readonly<Record<string, RpcMethod>> {
  const list = async (folder: string | undefined, fresh: boolean) => {
    const { skills: listed, hidden, truncated } = await skills.catalog(folder, fresh);
    const invalid = hidden.filter(({ state }) => state === "invalid");
    return {
      skills: await Promise.all(listed.map(skills.describe)),
      errors: invalid.map(({ path, reason }) => ({ path, message: reason })),
      truncated,
    };
  };
  const initialize: RpcMethod = {
    params: z.looseObject({}),
    call: async () => ({ name: "skillholm", version: skills.version, supports_skills_list: true }),
  };
  const listParams = z.strictObject({ cwd: z.string().min(1).optional(), force_reload: z.boolean().optional() });
  const skillsList: RpcMethod<z.infer<typeof listParams>> = {
    params: listParams,
    call: ({ cwd, force_reload: fresh = false }) => list(cwd, fresh),
  };
  const inspectParams = z.strictObject({ include_skills: z.boolean().optional() });
  const inspect: RpcMethod<z.infer<typeof inspectParams>> = {
    params: inspectParams,
    call: async ({ include_skills: include = true }) => {
      const { projectFolder, workingFolder } = skills;
      if (!include) return { root_dir: projectFolder, working_dir: workingFolder };
      const prompt = await skills.prompt();
      const { enabled, projectFolder: root_dir, workingFolder: working_dir } = skills;
      const catalog = enabled ? await list(undefined, false) : { skills: [], errors: [], truncated: false };
      const loaded_versions = (await skills.loaded()).map(({ path, mtimeMs: mtime_ms }) => ({ path, mtime_ms }));
      return { prompt, skills: { enabled, root_dir, working_dir, catalog, loaded_versions } };
    },
  };
  // `arguments` is what MCP calls it.
  const callParams = z.strictObject({
    name: z.string().min(1),
    input: z.unknown().optional(),
    arguments: z.unknown().optional(),
  });
  const toolsCall: RpcMethod<z.infer<typeof callParams>> = {
    params: callParams,
    call: ({ name, input, arguments: given }) => skills.call(name, input ?? given ?? {}),
  };
  return {
    initialize,
    "skills.list": skillsList as RpcMethod,
    "context.inspect": inspect as RpcMethod,
    "tools.call": toolsCall as RpcMethod,
  };
}
