import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createRpcHandler } from "../src/index.ts";

const handle = createRpcHandler({
  echo: { params: z.unknown(), call: async (params) => ({ params }) },
  fail: { params: z.unknown(), call: () => Promise.reject(new Error("the disk is gone")) },
});

async function ask(message: string): Promise<unknown> {
  const answer = await handle(message);
  return answer === undefined ? undefined : JSON.parse(answer);
}

const call = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: { a: 1 } });

describe("JSON-RPC", () => {
  it("answers a call", async () => {
    expect(await ask(JSON.stringify(call("echo")))).toEqual({ jsonrpc: "2.0", id: 1, result: { params: { a: 1 } } });
  });

  it("survives a method that fails", async () => {
    expect(await ask(JSON.stringify(call("fail")))).toMatchObject({
      error: { code: -32000, message: "It failed: the disk is gone" },
    });
  });

  it("knows no method that objects bring along", async () => {
    expect(await ask(JSON.stringify(call("toString")))).toMatchObject({ error: { code: -32601 } });
  });

  it("refuses a flood", async () => {
    expect(await ask(" ".repeat(1024 * 1024 + 1))).toMatchObject({ error: { code: -32600 } });
    const batch = Array.from({ length: 101 }, () => call("echo"));
    expect(await ask(JSON.stringify(batch))).toMatchObject({ error: { code: -32600 } });
  });
});
