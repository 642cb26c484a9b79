export { type CompatStore, createCompatStore } from "./compat.ts";
export { stateFolder } from "./state-file.ts";
export { createTrustStore, type TrustStore } from "./trust.ts";
