export type { SearchOutput } from "@skillholm/core";
export { type ActivationOutput, activateToolName, createActivateTool, type StaleActivation } from "./activate-skill.ts";
export { createSearchTool, searchToolName } from "./search-skills.ts";
export type { SkillTool, ToolResult } from "./tool.ts";
