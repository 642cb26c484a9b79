import type { ServerContext } from "@modelcontextprotocol/server";

/** Says that work has begun, to who asked to be told; the call at the end says that it is done. */
export async function startProgress({ mcpReq }: ServerContext, message: string): Promise<() => Promise<void>> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
  const tell = (progress: number, more: object = {}) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 1, ...more } });
  await tell(0, { message });
  return () => tell(1);
}
