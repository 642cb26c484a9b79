import type { SkillError } from "@skillholm/core/portable";

/** What a call gives: for the model to read, and the same as data. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: object;
  /** Why it was refused, for who is no model. */
  readonly error?: SkillError;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation offered to a model, defined once and adapted to each SDK. */
export interface SkillTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its input as the JSON Schema that every provider takes. */
  readonly inputSchema: JsonSchema;
  /** What a result that is no refusal looks like, where the system promises it. */
  readonly outputSchema?: JsonSchema | undefined;
  /** Never throws for what a model asks: an impossible request is a result that it can act on. */
  call(input: unknown): Promise<ToolResult>;
  /** A result's data as the model reads it. */
  render(structured: object): string;
  /** How a result is remembered, where that is not as it is. */
  readonly memory?: ToolMemory;
}

/** Keeps a skill's text out of stored conversations: a reference goes in, and the text comes back while it is the same. */
interface ToolMemory {
  pack(structured: object): object;
  unpack(packed: object, input: unknown): Promise<object>;
}
