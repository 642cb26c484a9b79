import { McpServer } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { Approvals } from "./approval.ts";
import type { McpHost } from "./host.ts";
import { introduce } from "./introduce.ts";
import { servePrompts } from "./prompts.ts";
import { Reports } from "./reports.ts";
import { serveResources } from "./resources.ts";
import { createSkillSource } from "./skill-source.ts";
import { serveTools } from "./tools.ts";
import { scheme } from "./uri.ts";

/** Makes servers of skills: one for a connection, or for a request where there are no connections. */
export type CreateServer = () => Promise<McpServer>;

const changes = { listChanged: true };

export function createServers(host: McpHost, reports = new Reports(host.report)): CreateServer {
  const approvals = new Approvals();
  const extension = new SkillsExtension({
    // Reading goes by rules, and lists come in pages: `serveResources` does both.
    source: { ...createSkillSource(host, reports), read: async () => undefined },
    baseUri: scheme,
    onWarning: ({ path, message }) => host.report(`${path}: ${message}`),
  });
  return async () => {
    const { skills, session } = await host.open();
    const mcp = new McpServer(
      { name: "skillholm", title: "Skillholm", version: host.version },
      {
        instructions: introduce(skills.catalog, session).instructions,
        capabilities: { tools: changes, prompts: changes, resources: changes, completions: {} },
        requestState: { verify: approvals.verify },
      },
    );
    extension.attach(mcp);
    serveTools(mcp.server, host, approvals);
    servePrompts(mcp.server, host);
    serveResources(mcp.server, host, approvals);
    return mcp;
  };
}
