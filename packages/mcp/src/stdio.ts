import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { CreateServer } from "./server.ts";

type Streams = ConstructorParameters<typeof StdioServerTransport>;
export type StdioInput = NonNullable<Streams[0]>;
export type StdioOutput = NonNullable<Streams[1]>;

/** A client that is being served. */
export interface Served {
  /** When everything that was asked so far is answered. */
  answered(): Promise<void>;
  close(): Promise<void>;
}

/** Serves one client; the era of its first message decides how. */
export function serveStreams(
  create: CreateServer,
  input: StdioInput,
  output: StdioOutput,
  onerror: (error: Error) => void,
): Served {
  const transport = new AnsweringTransport(input, output);
  const handle = serveStdio(create, { transport, onerror });
  return { answered: () => transport.answered(), close: () => handle.close() };
}

/** Knows which requests wait for an answer: an input that has ended may still want its answers. */
class AnsweringTransport extends StdioServerTransport {
  readonly #open = new Set<RequestId>();
  #waiting: (() => void)[] = [];

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      // A subscription is answered when it ends.
      if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#open.add(message.id);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) this.#open.delete(message.id);
    if (this.#open.size > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  async answered(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
