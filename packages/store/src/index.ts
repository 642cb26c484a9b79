export { writeAtomically } from "./atomic.ts";
export { type CompatStore, createCompatStore } from "./compat.ts";
export { dataFolder, stateFolder } from "./folders.ts";
export { readServerKey } from "./server-key.ts";
export { createTrustStore, type TrustStore } from "./trust.ts";
