export { type ActivationOutput, activateToolName, createActivateTool, type StaleActivation } from "./activate-skill.ts";
export { createSearchTool, type SearchOutput, searchToolName } from "./search-skills.ts";
export type { SkillTool, ToolResult } from "./tool.ts";
