import { expect } from "vitest";

/** What the tool of MyCodeAgent answers. */
export interface Envelope {
  readonly status: "success" | "partial" | "error";
  readonly data: { readonly name?: string; readonly base_dir?: string; readonly content?: string };
  readonly text: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly stats: { readonly time_ms: number };
  readonly context: { readonly cwd: string; readonly params_input: unknown; readonly path_resolved?: string };
}

/** Holds an answer against the protocol, to the letter; gives it back with its type. */
export function checkEnvelope(value: unknown): Envelope {
  const answer = value as Envelope;
  const isError = answer.status === "error";
  expect(["success", "partial", "error"]).toContain(answer.status);
  const keys = ["status", "data", "text", ...(isError ? ["error"] : []), "stats", "context"];
  expect(Object.keys(answer)).toEqual(keys);
  expect(answer.text.trim()).not.toBe("");
  expect(Number.isInteger(answer.stats.time_ms) && answer.stats.time_ms >= 0).toBe(true);
  expect(answer.context.cwd).toMatch(/^\//);
  expect(answer.context).toHaveProperty("params_input");
  const known = ["cwd", "params_input", "path_resolved"];
  expect(Object.keys(answer.context).filter((key) => !known.includes(key))).toEqual([]);
  if (isError) {
    expect(answer.data).toEqual({});
    expect(Object.keys(answer.error ?? {})).toEqual(["code", "message"]);
    // What went wrong, and then what to do.
    expect(answer.text.startsWith(`${answer.error?.message} `)).toBe(true);
  } else expect(Object.keys(answer.data)).toEqual(["name", "base_dir", "content"]);
  return answer;
}
