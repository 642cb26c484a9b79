export { activatedPaths } from "./activated.ts";
export { createGuide } from "./guide.ts";
export { unpackMessages } from "./history.ts";
export { type ChatChunk, type ChatMessage, personMessage } from "./message.ts";
export { runTurn } from "./turn.ts";
