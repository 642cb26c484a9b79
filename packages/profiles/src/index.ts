export { agentBase } from "./agent-base.ts";
export { codelia, codeliaScope, describeSkill, type SkillMetadata } from "./codelia.ts";
export { mycodeagent } from "./mycodeagent.ts";
export type { CatalogLimits, HostFiles, Profile, ToolHost } from "./profile.ts";
export { operationOf, profileNames, profiles, toolNames } from "./profiles.ts";
export { remcochat } from "./remcochat.ts";
export { type ResourceType, SkillContextProvider } from "./skill-context-provider.ts";
export { smallebot } from "./smallebot.ts";
export { standard } from "./standard.ts";
