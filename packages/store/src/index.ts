export { type Answer, type AnswerStore, createAnswerStore } from "./answers.ts";
export { writeAtomically } from "./atomic.ts";
export { type CompatStore, createCompatStore } from "./compat.ts";
export { type ContentTrust, createContentTrust, type FileHashes } from "./content-trust.ts";
export { createDecisionLog, type Decision, type DecisionLog } from "./decisions.ts";
export { dataFolder, stateFolder } from "./folders.ts";
export { readServerKey } from "./server-key.ts";
export { createTrustStore, type TrustStore } from "./trust.ts";
export { createUsageStore, type UsageStore } from "./usage.ts";
