import { defuseMarkup, escapeMarkup } from "@skillholm/core/dialect";
import { failureOf, operations, type SandboxName, type ScriptRun, type Session } from "@skillholm/core/portable";
import * as z from "zod";
import type { SkillTool } from "./skill-tool.ts";
import { createTool } from "./tool.ts";

export const runToolName = operations.run;

/** The JSON of `skillholm run`. */
export interface ScriptOutput {
  readonly name: string;
  readonly script: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly timedOut: boolean;
  readonly sandbox: SandboxName;
  /** What the files that it left are read by, as if it were a skill, in this conversation. */
  readonly run: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Why it is no success. */
  readonly failure?: { readonly code: string; readonly message: string };
}

const inputSchema = z.object({
  name: z.string().min(1).max(4096).describe("The skill's name"),
  script: z.string().min(1).max(4096).describe("A script of the skill, relative to its folder, as scripts/convert.py"),
  args: z.array(z.string()).optional().describe("Its arguments; at most 100 with 4,096 characters"),
  stdin: z.string().max(16_000_000).optional().describe("What it reads from its standard input"),
});

/** A tool that runs scripts; undefined where the session runs none. */
export function createRunTool(session: Session): SkillTool | undefined {
  const { run } = session;
  if (run === undefined || session.policy.scripts.mode === "off") return undefined;
  return createTool({
    name: runToolName,
    title: "Run a skill's script",
    description:
      "Runs one script of a skill in a sandbox without a network, and gives what it printed. Call it when the skill's instructions say to run that script.",
    inputSchema,
    run: async ({ name, script, args, stdin }) => describeRun(await run(name, script, { args, stdin })),
    render: renderRun,
  });
}

/** What became of a script, as the JSON that every door gives. */
export function describeRun(run: ScriptRun): ScriptOutput {
  const { skill, script, exitCode, signal, stdout, stderr, truncated, durationMs, timedOut, sandbox } = run;
  const failure = failureOf(run);
  return {
    ...{ name: skill.name, script, exitCode, signal, stdout, stderr, truncated, durationMs, timedOut, sandbox },
    run: run.reference,
    files: run.files.map(({ path, content }) => ({ path, bytes: content.length })),
    ...(failure && { failure }),
  };
}

const elements = ["script_result", "stdout", "stderr", "skill_content", "skill_resource"];

// Of what a model reads of one stream; the data holds it all.
const mostShown = 50_000;

function renderRun(output: ScriptOutput): string {
  const { name, script, exitCode, sandbox, failure, files, run, truncated } = output;
  const status = exitCode === null ? "" : ` exit_code="${exitCode}"`;
  const lines = [`<script_result name="${escapeMarkup(name)}" script="${escapeMarkup(script)}"${status}>`];
  if (failure !== undefined) lines.push(failure.message);
  if (sandbox === "none") lines.push("[It ran without a sandbox.]");
  for (const stream of ["stdout", "stderr"] as const) {
    const text = output[stream];
    if (text !== "") lines.push(`<${stream}>`, defuseMarkup(text.slice(0, mostShown), elements), `</${stream}>`);
    if (text.length > mostShown) lines.push(`[${stream} goes on: ${text.length - mostShown} characters more.]`);
  }
  if (truncated) lines.push("[Its output was cut at a limit.]");
  if (files.length > 0) {
    lines.push(`It left these files; read them by the name ${run}:`);
    lines.push(...files.map(({ path, bytes }) => `<file>${escapeMarkup(path)} (${bytes} bytes)</file>`));
  }
  return [...lines, "</script_result>"].join("\n");
}
