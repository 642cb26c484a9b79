export { writeAtomically } from "@skillholm/store";
export type { Chat, Chats } from "./chats.ts";
export type { ConfigOrigin, IgnoredSetting, Setting } from "./config.ts";
export { type ConfigKey, configKeys } from "./config-keys.ts";
export { configSchema } from "./config-schema.ts";
export { createEngine, type Engine, type EngineOptions, type ModelFacts } from "./engine.ts";
export { type ListedSkill, type Listing, listSkills, type UnlistedSkill } from "./listing.ts";
export type { OpenedConfig } from "./open-config.ts";
export { reasonOf, trustCommand } from "./reason.ts";
