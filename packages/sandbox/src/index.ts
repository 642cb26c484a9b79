export { defaultRunLimits, longestTimeoutMs, type RunLimits } from "./limits.ts";
export { createScriptRunner, type RunnerOptions } from "./runner.ts";
