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
  idOf(skill: Skill): string;
}

/** `initialize`, `skills.list` and `context.inspect`. */
export function createSkillMethods(skills: RpcSkills): Readonly<Record<string, RpcMethod>> {
  const describe = (skill: Skill) => {
    const { name, description, path, dir, scope, mtimeMs } = skill;
    const id = skills.idOf(skill);
    return { id, skill_id: id, name, description, path, dir, scope, mtime_ms: mtimeMs };
  };
  const list = async (folder: string | undefined, fresh: boolean) => {
    const { skills: listed, hidden, truncated } = await skills.catalog(folder, fresh);
    const invalid = hidden.filter(({ state }) => state === "invalid");
    return {
      skills: listed.map(describe),
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
      const prompt = await skills.prompt();
      if (!include) return { prompt };
      const { enabled, projectFolder: root_dir, workingFolder: working_dir } = skills;
      const catalog = await list(undefined, false);
      return { prompt, skills: { enabled, root_dir, working_dir, catalog, loaded_versions: [] } };
    },
  };
  return { initialize, "skills.list": skillsList as RpcMethod, "context.inspect": inspect as RpcMethod };
}
