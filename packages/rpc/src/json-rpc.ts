import { SkillError } from "@skillholm/core";
import { z } from "zod";

/** One method: parameters in, result out. A `SkillError` becomes an error that the caller can act on. */
export interface RpcMethod<Params = unknown> {
  readonly params: z.ZodType<Params>;
  call(params: Params): Promise<object>;
}

/** A message of JSON-RPC 2.0 in, its answer out; nothing for a notification. */
export type RpcHandler = (message: string) => Promise<string | undefined>;

const request = z.object({
  jsonrpc: z.literal("2.0"),
  method: z.string().max(200),
  params: z.unknown().optional(),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});

const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, failed: -32000 } as const;
// A message is a few hundred bytes; what is larger is a mistake or an attack.
const mostCharacters = 1024 * 1024;
const mostInBatch = 100;

export function createRpcHandler(methods: Readonly<Record<string, RpcMethod>>): RpcHandler {
  return async (message) => {
    if (message.length > mostCharacters) {
      return JSON.stringify(failure(null, codes.request, `The message is longer than ${mostCharacters} characters.`));
    }
    const parsed = tryParse(message);
    if (parsed === undefined) return JSON.stringify(failure(null, codes.parse, "The message is no JSON."));
    if (!Array.isArray(parsed)) return toText(await answer(methods, parsed));
    if (parsed.length === 0 || parsed.length > mostInBatch) {
      return JSON.stringify(failure(null, codes.request, `A batch has 1 to ${mostInBatch} messages.`));
    }
    const answers = await Promise.all(parsed.map((each) => answer(methods, each)));
    const said = answers.filter((each) => each !== undefined);
    return said.length === 0 ? undefined : JSON.stringify(said);
  };
}

async function answer(methods: Readonly<Record<string, RpcMethod>>, message: unknown): Promise<object | undefined> {
  const asked = request.safeParse(message);
  if (!asked.success) {
    return failure(
      null,
      codes.request,
      'A message needs "jsonrpc": "2.0" and a "method"; its "id" is a text or a number.',
    );
  }
  const { method: name, params, id } = asked.data;
  const result = await run(methods, name, params, id ?? null);
  return id === undefined ? undefined : result;
}

async function run(
  methods: Readonly<Record<string, RpcMethod>>,
  name: string,
  given: unknown,
  id: string | number | null,
): Promise<object> {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) {
    return failure(id, codes.method, `There is no method "${name}". Known: ${Object.keys(methods).join(", ")}.`);
  }
  const params = method.params.safeParse(given ?? {});
  if (!params.success) {
    const problems = params.error.issues.map((issue) => `${issue.path.join(".") || "params"}: ${issue.message}`);
    return failure(id, codes.params, `The parameters are wrong. ${problems.join("; ")}.`);
  }
  try {
    return { jsonrpc: "2.0", id, result: await method.call(params.data) };
  } catch (error) {
    // One message that fails must not end the others.
    if (!(error instanceof SkillError)) return failure(id, codes.failed, `It failed: ${(error as Error).message}`);
    const code = error.code === "invalid-input" ? codes.params : codes.failed;
    return failure(id, code, error.message, { code: error.code });
  }
}

function failure(id: string | number | null, code: number, message: string, data?: object): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } };
}

function tryParse(message: string): unknown {
  try {
    return JSON.parse(message) as unknown;
  } catch {
    return undefined;
  }
}

function toText(value: object | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
