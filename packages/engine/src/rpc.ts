import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Session, type Skill, SkillError, type Skills } from "@skillholm/core";
import { describeSkill } from "@skillholm/profiles";
import { createRpcHandler, createSkillMethods, type RpcHandler } from "@skillholm/rpc";
import type { Conversation } from "./operate.ts";

/** What is asked of an engine. */
interface RpcEngine {
  readonly cwd: string;
  readonly project: string;
  config(): { get(key: string): unknown; readonly profile: { readonly name: string } };
  freshSkills(): Promise<Skills>;
  reloadSkills(): Promise<Skills>;
  prompt(options: { readonly session: Session }): Promise<object>;
}

/** The engine as JSON-RPC; `open` makes one for another folder. */
export function createRpc(
  engine: RpcEngine,
  version: string,
  conversation: Conversation,
  open: (folder: string) => RpcEngine,
): RpcHandler {
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
  const isCodelia = engine.config().profile.name === "codelia";
  const methods = createSkillMethods({
    version,
    workingFolder: engine.cwd,
    projectFolder: engine.project,
    enabled: engine.config().get("skills.enabled") !== false,
    catalog: async (folder, fresh) => {
      const { freshSkills, reloadSkills, config } = engineAt(folder);
      if (isCodelia && config().get("skills.enabled") === false) {
        throw new SkillError("unavailable", "Skills are switched off (skills.enabled).");
      }
      return (await (fresh ? reloadSkills() : freshSkills())).catalog;
    },
    prompt: async () => {
      return engine.prompt({ session: await conversation.session() });
    },
    describe: async (skill: Skill) => {
      const described = await describeSkill(skill);
      const { scope, path, dir } = skill;
      // Where there are more scopes than that system has, they are told apart, and places are as they were reached.
      return isCodelia ? described : { ...described, scope, path, dir };
    },
    loaded: async () => {
      const session = await conversation.session();
      const found = session.visible().map((skill) => [skill.path, skill.realDir + skill.path.slice(skill.dir.length)]);
      const places: ReadonlyMap<string, string> = new Map(isCodelia ? (found as [string, string][]) : []);
      // What was loaded again after a change counts as it was last.
      const versions = new Map(session.ledger().activated.map((each) => [each.path, each.mtimeMs]));
      return [...versions].map(([path, mtimeMs]) => ({ path: places.get(path) ?? path, mtimeMs }));
    },
    call: conversation.call,
  });
  return createRpcHandler(methods);
}

// More projects than anybody works in at once.
const mostFolders = 32;
