export { writeAtomically } from "@skillholm/store";
export type { Chat, Chats } from "./chats.ts";
export { createEngine, type Engine, type EngineOptions, type ModelFacts } from "./engine.ts";
export { type ListedSkill, type Listing, listSkills, type UnlistedSkill } from "./listing.ts";
export { reasonOf, trustCommand } from "./reason.ts";
