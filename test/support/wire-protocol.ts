/** What a request says, whichever protocol it is in. */
export interface WireRequest {
  readonly instructions: string;
  /** The names of the tools. */
  readonly tools: readonly string[];
  /** What tools answered, first to last; only Anthropic's protocol says what is an error. */
  readonly results: readonly { readonly text: string; readonly isError?: boolean }[];
}

/** What the model does next. */
export type WireReply =
  | { readonly text: string }
  | { readonly calls: readonly { readonly name: string; readonly input: unknown }[] };

/** The body to send, or the events of a stream. */
export interface WireAnswer {
  readonly request: WireRequest;
  answer(reply: WireReply): object | readonly object[];
}

export type Json = { readonly [key: string]: unknown };

/** What a provider refuses with the status 400. */
export class BadRequest extends Error {}

export function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BadRequest(message);
}

/** A tool as every provider wants it, by its name and its schema. */
export function checkTools(tools: readonly { name: unknown; schema: unknown }[], pattern: RegExp): readonly string[] {
  const names = tools.map(({ name, schema }, index) => {
    demand(typeof name === "string" && pattern.test(name), `tools.${index}.name: '${name}' does not match ${pattern}`);
    const { type, properties } = (schema ?? {}) as Json;
    demand(type === "object", `Invalid schema for function '${name}': schema must be of type "object", got "${type}"`);
    demand(properties !== null && typeof properties === "object", `Invalid schema for '${name}': no properties`);
    return name;
  });
  demand(new Set(names).size === names.length, "tools: Tool names must be unique.");
  return names;
}
