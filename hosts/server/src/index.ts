export { startMcpServer } from "./mcp.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start.ts";
