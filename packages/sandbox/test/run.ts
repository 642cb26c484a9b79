import { createHash } from "node:crypto";
import type { ScriptOutcome, ScriptRequest } from "@skillholm/core";
import { createScriptRunner, type RunLimits } from "../src/index.ts";

export const mebibyte = 1024 * 1024;

/** Small enough that reaching a limit costs little. */
export const smallLimits: Partial<RunLimits> = {
  memoryBytes: 256 * mebibyte,
  processes: 64,
  fileBytes: 4 * mebibyte,
  tmpBytes: 8 * mebibyte,
  scratchBytes: 16 * mebibyte,
  timeoutMs: 20_000,
};

type Given = Partial<Omit<ScriptRequest, "read" | "hashes">> & { readonly limits?: Partial<RunLimits> };

/** Runs one of a skill's files in the sandbox. */
export async function runInside(
  files: Readonly<Record<string, string>>,
  script: string,
  { limits = smallLimits, ...given }: Given = {},
): Promise<ScriptOutcome> {
  const runner = createScriptRunner({ limits });
  return runner.run({ ...requestFor(files, script), ...given });
}

/** All that a runner needs to know of a skill whose files are these. */
export function requestFor(files: Readonly<Record<string, string>>, script: string): ScriptRequest {
  const bytes = (file: string) => new TextEncoder().encode(files[file] ?? "");
  return {
    name: "trial",
    dir: "/home/somebody/.agents/skills/trial",
    script,
    interpreter: createScriptRunner().interpreterOf(script, bytes(script)),
    hashes: Object.fromEntries(Object.keys(files).map((file) => [file, hashOf(bytes(file))])),
    read: async (file) => bytes(file),
    workspace: "scratch",
    args: [],
    inputs: [],
    grants: [],
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
