export type { SearchOutput } from "@skillholm/core/portable";
export {
  type ActivateToolOptions,
  type ActivationOutput,
  activateToolName,
  createActivateTool,
  describeActivation,
  type StaleActivation,
} from "./activate-skill.ts";
export { createOwnTools } from "./own-tools.ts";
export { createReadTool, type ResourceOutput, readToolName } from "./read-skill-resource.ts";
export { createRunTool, describeRun, runToolName, type ScriptOutput } from "./run-skill-script.ts";
export { createSearchTool, searchToolName } from "./search-skills.ts";
export type { SkillTool, ToolResult } from "./skill-tool.ts";
export { createTool } from "./tool.ts";
export { nameForWire } from "./wire-name.ts";
