export { buildEntry, type Serving } from "./entry.ts";
export type { McpHost } from "./host.ts";
export { createMcpService, type McpService } from "./service.ts";
