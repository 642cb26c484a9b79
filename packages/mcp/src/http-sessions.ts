import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { CreateServer } from "./server.ts";

/** Conversations of clients that begin with a handshake: bounded in number and in idle time. */
export interface HttpSessions {
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface HttpSession {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

interface SessionsOptions {
  /** Hears of servers as they come. */
  opened(server: McpServer): void;
  closed(server: McpServer): void;
  readonly maxRequestBodySize: number;
  /** How many at most; the one that was idle for the longest gives way. */
  readonly most?: number;
  readonly idleMs?: number;
}

export function createHttpSessions(create: CreateServer, options: SessionsOptions): HttpSessions {
  const { most = 64, idleMs = 30 * 60 * 1000, maxRequestBodySize } = options;
  const sessions = new Map<string, HttpSession>();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    if (session === undefined) return;
    options.closed(session.server);
    await session.server.close();
  };
  /** Sessions are kept in the order of their last use. */
  const makeRoom = async (room: number): Promise<void> => {
    const now = Date.now();
    for (const [id, { usedAt }] of sessions) {
      if (usedAt > now - idleMs && sessions.size <= room) return;
      await end(id);
    }
  };
  const use = (id: string, session: HttpSession): void => {
    session.usedAt = Date.now();
    sessions.delete(id);
    sessions.set(id, session);
  };
  const begin = async (request: Request): Promise<Response> => {
    await makeRoom(most - 1);
    const server = await create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      maxRequestBodySize,
      onsessioninitialized: (id) => {
        sessions.set(id, { server, transport, usedAt: Date.now() });
        options.opened(server);
      },
      onsessionclosed: end,
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // It did not begin with a handshake, and was told so.
    if (transport.sessionId === undefined) await server.close();
    return response;
  };
  return {
    handle: async (request) => {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return begin(request);
      await makeRoom(most);
      const session = sessions.get(id);
      if (session === undefined) return unknownSession();
      use(id, session);
      return session.transport.handleRequest(request);
    },
    close: async () => {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** 404 tells a client to begin anew. */
function unknownSession(): Response {
  const error = { code: -32001, message: "There is no such session. Begin anew." };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
