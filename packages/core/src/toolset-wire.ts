import { SkillError } from "./error.ts";

/** What a toolset says of one tool: MCP's shape. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const mostTools = 64;
const mostCharacters = 64 * 1024;

/** One message of JSON-RPC, as a line. */
export function writeRequest(method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`;
}

/** The result among the lines that a toolset wrote; undefined where there is none. An error is thrown. */
export function parseAnswer(output: string): object | undefined {
  for (const line of output.split("\n").toReversed()) {
    const { id, result, error } = Object(tryParse(line)) as Readonly<Record<string, unknown>>;
    if (id !== 1) continue;
    if (error !== undefined) throw new SkillError("script-failed", String(Object(error).message));
    return typeof result === "object" && result !== null ? result : undefined;
  }
  return undefined;
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // Something else that was printed.
    return undefined;
  }
}

/** The tools of `tools/list`; throws for what no model could be offered. */
export function parseTools(answer: object): readonly ToolFacts[] {
  const { tools } = answer as { readonly tools?: unknown };
  if (!Array.isArray(tools)) throw new SkillError("invalid-input", "it lists no tools");
  if (tools.length > mostTools) throw new SkillError("invalid-input", `it has ${tools.length} tools, not ${mostTools}`);
  const names = new Set<string>();
  return tools.map((tool) => {
    const facts = parseTool(tool);
    if (names.has(facts.name)) throw new SkillError("invalid-input", `it has two tools "${facts.name}"`);
    names.add(facts.name);
    return facts;
  });
}

function parseTool(tool: unknown): ToolFacts {
  const { name, description, inputSchema = { type: "object" } } = Object(tool) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    throw new SkillError("invalid-input", "a tool's name should be 1 to 64 letters, digits, - or _");
  }
  if (typeof description !== "string" || description.length > 4096) {
    throw new SkillError("invalid-input", `the tool "${name}" has no description of at most 4,096 characters`);
  }
  const schema = Object(inputSchema) as Readonly<Record<string, unknown>>;
  if (schema.type !== "object" || JSON.stringify(schema).length > mostCharacters) {
    throw new SkillError("invalid-input", `the inputSchema of "${name}" is no JSON Schema of an object, or too long`);
  }
  return { name, description, inputSchema: schema };
}
