import type { FieldValue, Frontmatter } from "./value.ts";

/** A list or mapping on one line, as `[a, "b c"]` and `{"a": {"b": ["c"]}}`. */
export function readFlow(text: string): FieldValue | undefined {
  const flow = { text, at: 0, depth: 0 };
  const value = readFlowNode(flow);
  return flow.at === text.length ? value : undefined;
}

interface Flow {
  readonly text: string;
  at: number;
  depth: number;
}

// Deeper ones are left to the library, which knows its own limit.
const maximumDepth = 20;

const flowPlain = /[\w./][\w./ -]*/y;
const flowQuoted = /"[^"\\]*"|'[^']*'/y;

function readFlowNode(flow: Flow): FieldValue | undefined {
  const char = flow.text[flow.at];
  if (char !== "[" && char !== "{") return readFlowScalar(flow);
  if (++flow.depth > maximumDepth) return undefined;
  const value = char === "[" ? readFlowItems(flow) : readFlowPairs(flow);
  flow.depth--;
  return value;
}

function readFlowScalar(flow: Flow): string | undefined {
  const quoted = match(flow, flowQuoted);
  return quoted === undefined ? match(flow, flowPlain)?.trimEnd() : quoted.slice(1, -1);
}

function readFlowItems(flow: Flow): readonly FieldValue[] | undefined {
  const items: FieldValue[] = [];
  for (let next = enterFlow(flow, "]"); next !== "]"; next = afterFlowNode(flow, "]")) {
    const item = next === undefined ? undefined : readFlowNode(flow);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readFlowPairs(flow: Flow): Frontmatter | undefined {
  const map: Record<string, FieldValue> = {};
  for (let next = enterFlow(flow, "}"); next !== "}"; next = afterFlowNode(flow, "}")) {
    const key = next === undefined ? undefined : readFlowScalar(flow);
    if (key === undefined || key === "__proto__" || Object.hasOwn(map, key) || !skipColon(flow)) return undefined;
    const value = readFlowNode(flow);
    if (value === undefined) return undefined;
    map[key] = value;
  }
  return map;
}

/** Steps over the opening bracket: to the first node, or over the end of an empty collection. */
function enterFlow(flow: Flow, end: string): string | undefined {
  flow.at++;
  skipSpaces(flow);
  if (flow.text[flow.at] !== end) return flow.text[flow.at];
  flow.at++;
  return end;
}

/** Steps over the comma to the next node, or over the end; undefined when there is neither. */
function afterFlowNode(flow: Flow, end: string): string | undefined {
  skipSpaces(flow);
  const char = flow.text[flow.at++];
  if (char !== ",") return char === end ? end : undefined;
  skipSpaces(flow);
  return flow.text[flow.at] === end ? undefined : flow.text[flow.at];
}

/** After a quoted key a colon needs no space, as in JSON. */
function skipColon(flow: Flow): boolean {
  const before = flow.text[flow.at - 1];
  const tight = before === '"' || before === "'";
  if (flow.text[flow.at] !== ":" || !(tight || flow.text[flow.at + 1] === " ")) return false;
  flow.at++;
  skipSpaces(flow);
  return true;
}

function skipSpaces(flow: Flow): void {
  while (flow.text.charCodeAt(flow.at) === 32) flow.at++;
}

function match(flow: Flow, pattern: RegExp): string | undefined {
  pattern.lastIndex = flow.at;
  const found = pattern.exec(flow.text)?.[0];
  flow.at += found?.length ?? 0;
  return found;
}
