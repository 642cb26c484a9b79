import { createMcpHandler, isLegacyRequest, type McpServer } from "@modelcontextprotocol/server";
import type { McpHost } from "./host.ts";
import { createHttpSessions } from "./http-sessions.ts";
import { Reports } from "./reports.ts";
import { servedSkills } from "./served.ts";
import { createServers } from "./server.ts";
import { type Served, type StdioInput, type StdioOutput, serveStreams } from "./stdio.ts";

/** The skills for any client of MCP, old or new, over whatever carries its messages. */
export interface McpService {
  /** Answers one request of streamable HTTP. Who calls has judged `Host`, `Origin` and the key. */
  fetch(request: Request): Promise<Response>;
  /** Serves one client by its input and output. */
  serve(input: StdioInput, output: StdioOutput): Served;
  close(): Promise<void>;
}

// A message is a few hundred bytes; what is larger is a mistake or an attack.
const maxRequestBodySize = 1024 * 1024;
const maxSubscriptions = 64;

export function createMcpService(host: McpHost): McpService {
  const reports = new Reports(host.report);
  const create = createServers(host, reports);
  const live = new Set<McpServer>();
  const onerror = (error: Error) => host.report(error.message);
  const modern = createMcpHandler(create, { legacy: "reject", maxRequestBodySize, maxSubscriptions, onerror });
  const sessions = createHttpSessions(create, {
    maxRequestBodySize,
    opened: (server) => void live.add(server),
    closed: (server) => void live.delete(server),
  });
  void reportUnserved(host, reports);
  const stopWatch = host.watch(() => {
    for (const server of live) if (server.isConnected()) tell(server);
    modern.notify.toolsChanged();
    modern.notify.promptsChanged();
    modern.notify.resourcesChanged();
    void reportUnserved(host, reports);
  });
  return {
    fetch: async (request) => {
      const isOld = await isLegacyRequest(request, undefined, { maxRequestBodySize });
      return isOld ? sessions.handle(request) : modern.fetch(request);
    },
    serve: (input, output) => {
      const made = async () => {
        const server = await create();
        live.add(server);
        server.server.onclose = () => void live.delete(server);
        return server;
      };
      return serveStreams(made, input, output, onerror);
    },
    close: async () => {
      stopWatch();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** A catalog says something else: so may each of these. */
function tell(server: McpServer): void {
  server.sendToolListChanged();
  server.sendPromptListChanged();
  server.sendResourceListChanged();
}

/** What is known without reading a file; the rest is told when a client asks for it. */
async function reportUnserved(host: McpHost, reports: Reports): Promise<void> {
  try {
    const { skills, session } = await host.open();
    for (const { skill, reason } of servedSkills(skills.catalog, session).unserved) {
      reports.add(skill, { served: "tools-only", reason });
    }
  } catch (error) {
    host.report((error as Error).message);
  }
}
