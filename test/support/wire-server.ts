import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { speakMessages } from "./wire-anthropic.ts";
import { speakChat, speakResponses } from "./wire-openai.ts";
import { BadRequest, demand, type Json, type WireReply, type WireRequest } from "./wire-protocol.ts";

/**
 * OpenAI's and Anthropic's protocols on loopback, as strict as the providers are about tools and their results; `reply` is
 * the model. The address is the one that OpenAI's clients take; Anthropic's take it without `/v1`.
 */
export async function serveModels(reply: (request: WireRequest) => WireReply) {
  const requests: WireRequest[] = [];
  const refusals: string[] = [];
  const speak = {
    "/v1/responses": speakResponses(),
    "/v1/chat/completions": speakChat,
    "/v1/messages": speakMessages,
    "/v1/embeddings": undefined,
  };
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(message.url ?? "", "http://localhost").pathname as keyof typeof speak;
    const body = JSON.parse(Buffer.concat(await message.toArray()).toString()) as Json;
    try {
      demand(message.method === "POST" && path in speak, `Invalid URL (${message.method} ${path})`);
      const speaking = speak[path];
      if (speaking === undefined) return send(response, 200, embed(body));
      const { request, answer } = speaking(body, message.headers);
      requests.push(request);
      send(response, 200, answer(reply(request)));
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      refusals.push(error.message);
      send(response, 400, { type: "error", error: { type: "invalid_request_error", message: error.message } });
    }
  };
  const server = createServer((message, response) => {
    handle(message, response).catch((error) => send(response, 500, { error: { message: String(error) } }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, refusals };
}

function send(response: ServerResponse, status: number, body: object | readonly object[]): void {
  if (!Array.isArray(body)) {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(status, { "content-type": "text/event-stream" });
  for (const event of body) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
}

/** Embeddings: texts that share three letters in a row are near. */
function embed({ input }: Json): object {
  return { data: (input as string[]).map((text) => ({ embedding: trigrams(text) })) };
}

function trigrams(text: string): readonly number[] {
  const vector = new Array<number>(512).fill(0);
  for (let at = 0; at + 3 <= text.length; at++) {
    const hash = [...text.slice(at, at + 3).toLowerCase()].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7);
    vector[hash % 512] = (vector[hash % 512] ?? 0) + 1;
  }
  return vector;
}
