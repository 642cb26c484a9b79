import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError, type Skills } from "@skillholm/core";
import { createRpcHandler, createSkillMethods, type RpcHandler } from "@skillholm/rpc";

/** What is asked of an engine. */
interface RpcEngine {
  readonly cwd: string;
  readonly project: string;
  config(): { get(key: string): unknown };
  skills(): Promise<Skills>;
  freshSkills(): Promise<Skills>;
  prompt(): Promise<object>;
}

/** The engine as JSON-RPC; `open` makes one for another folder. */
export function createRpc(engine: RpcEngine, version: string, open: (folder: string) => RpcEngine): RpcHandler {
  const others = new Map<string, RpcEngine>();
  const engineAt = (folder: string | undefined): RpcEngine => {
    const place = resolve(engine.cwd, folder ?? ".");
    if (place === engine.cwd) return engine;
    if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
      throw new SkillError("invalid-input", `cwd: there is no folder ${place}`);
    }
    const other = others.get(place) ?? open(place);
    if (others.size < mostFolders) others.set(place, other);
    return other;
  };
  const methods = createSkillMethods({
    version,
    workingFolder: engine.cwd,
    projectFolder: engine.project,
    enabled: engine.config().get("skills.enabled") !== false,
    catalog: async (folder, fresh) => {
      const { skills, freshSkills } = engineAt(folder);
      return (await (fresh ? freshSkills() : skills())).catalog;
    },
    prompt: async () => {
      await engine.freshSkills();
      return engine.prompt();
    },
    idOf: ({ realPath }) => createHash("sha256").update(realPath).digest("hex").slice(0, 16),
  });
  return createRpcHandler(methods);
}

// More projects than anybody works in at once.
const mostFolders = 32;
