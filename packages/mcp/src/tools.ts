import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Session } from "@skillholm/core/portable";
import { createActivateTool, createReadTool, createSearchTool, type SkillTool, searchToolName } from "@skillholm/tools";
import type { Approvals } from "./approval.ts";
import { clientOf } from "./client.ts";
import type { McpHost } from "./host.ts";
import { introduce } from "./introduce.ts";
import { startProgress } from "./progress.ts";

// They look at files of this machine and change nothing.
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** `search_skills`, `activate_skill` and `read_skill_resource`; who lists and reads by the extension needs only the first. */
export function serveTools(server: Server, host: McpHost, approvals: Approvals): void {
  const client = (context: ServerContext) => clientOf(context, server.getClientCapabilities());
  server.setRequestHandler("tools/list", async (_request, context) => {
    const { skills, session } = await host.open();
    const { tools: notes } = introduce(skills.catalog, session);
    const offered = toolsOf(session).filter(({ name }) => name === searchToolName || !client(context).hasSkills);
    return { tools: offered.map((tool) => describe(tool, notes[tool.name])) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    const done = await startProgress(context, `Calling ${name}`);
    const settled = await approvals.settle(host, { tool: name, input, canAsk: client(context).canAsk }, context);
    context.mcpReq.signal.throwIfAborted();
    if ("question" in settled) return settled.question;
    const tools = toolsOf(settled.opened.session);
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) {
      const known = tools.map((each) => each.name).join(", ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}". Tools: ${known}.`);
    }
    const result = await call(tool, input);
    context.mcpReq.signal.throwIfAborted();
    await done();
    return result;
  });
}

async function call(tool: SkillTool, input: object): Promise<CallToolResult> {
  // Every request has a conversation of its own: there is no active skill that could lead to another.
  const { isError, text, structured } = await tool.call({ ...input, from: undefined });
  return { content: [{ type: "text", text }], structuredContent: { ...structured }, isError };
}

function toolsOf(session: Session): readonly SkillTool[] {
  return [createSearchTool(session), createActivateTool(session), createReadTool(session)];
}

function describe({ name, title, description, inputSchema }: SkillTool, note: string | undefined): Tool {
  const { from, ...properties } = (inputSchema.properties ?? {}) as NonNullable<Tool["inputSchema"]["properties"]>;
  return {
    name,
    title,
    description: note === undefined ? description : `${description} ${note}`,
    inputSchema: { ...inputSchema, type: "object", properties },
    annotations: { title, ...annotations },
  };
}
