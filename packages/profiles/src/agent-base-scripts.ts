import { failureOf, type Session, SkillError } from "@skillholm/core/portable";
import { createTool, type SkillTool, type ToolResult } from "@skillholm/tools";
import * as z from "zod";

const skill = z.string().min(1).max(200).describe("The skill's name");
const script = z.string().min(1).max(4096).describe("The script's name, as convert.py");

/** The three tools for scripts; none where the session runs none. */
export function createScriptTools(session: Session): readonly SkillTool[] {
  if (session.run === undefined || session.policy.scripts.mode === "off") return [];
  return [createListTool(session), createHelpTool(session), createRunTool(session)];
}

function createListTool(session: Session): SkillTool {
  return createTool({
    name: "script_list",
    title: "List a skill's scripts",
    description: "Names the scripts of a skill.",
    inputSchema: z.object({ skill_name: skill }),
    run: async ({ skill_name }) => {
      const scripts = await session.scripts(skill_name);
      return succeed(scripts.map(toName), `${skill_name} has ${scripts.length} scripts.`);
    },
    render: JSON.stringify,
    refuse,
  });
}

function createHelpTool(session: Session): SkillTool {
  return createTool({
    name: "script_help",
    title: "Say what a script does",
    description: "Gives what a script says about itself at its beginning. It is not run.",
    inputSchema: z.object({ skill_name: skill, script_name: script }),
    run: async ({ skill_name, script_name }) => {
      const { content } = await session.read(skill_name, toPath(script_name));
      const help = readHelp(content);
      return succeed(help, help === "" ? `${script_name} says nothing about itself.` : `What ${script_name} says.`);
    },
    render: JSON.stringify,
    refuse,
  });
}

function createRunTool(session: Session): SkillTool {
  return createTool({
    name: "script_run",
    title: "Run a skill's script",
    description: "Runs a script of a skill in a sandbox, in the skill's folder, and gives what it printed.",
    inputSchema: z.object({
      skill_name: skill,
      script_name: script,
      args: z.array(z.string()).optional().describe("Its arguments"),
      json_output: z.boolean().optional().describe("It prints JSON, which is to be parsed"),
    }),
    run: async ({ skill_name, script_name, args, json_output }) => {
      const run = await session.run?.(skill_name, toPath(script_name), { args });
      if (run === undefined) throw new SkillError("unavailable", "Nothing here can run scripts.");
      const failure = failureOf(run);
      if (failure !== undefined) {
        const said = run.stderr.trim().slice(0, 4000);
        throw new SkillError(failed(failure.code), said === "" ? failure.message : `${failure.message} ${said}`);
      }
      const result = json_output === true ? parseOutput(run.stdout) : run.stdout;
      return succeed(result, `${script_name} ran in ${run.durationMs} ms.`);
    },
    render: JSON.stringify,
    refuse,
  });
}

function succeed(result: unknown, message: string) {
  return { success: true, result, message };
}

function failed(code: string): "script-timeout" | "script-failed" {
  return code === "script-timeout" ? code : "script-failed";
}

/** `scripts/` may be said or not. */
function toPath(name: string): string {
  return name.startsWith("scripts/") ? name : `scripts/${name}`;
}

function toName(path: string): string {
  return path.slice(path.indexOf("/") + 1);
}

function parseOutput(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = `It printed no JSON: ${(error as Error).message}.`;
    throw new SkillError("script-failed", message, { parse: true });
  }
}

/** The comment or the text that a script begins with. */
function readHelp(source: string): string {
  const lines = source.replace(/^#![^\n]*\n/, "").trimStart();
  const [, quoted] = /^(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(lines) ?? [];
  const [, block] = /^\/\*+([\s\S]*?)\*\//.exec(lines) ?? [];
  const [comments = ""] = /^(?:(?:#|\/\/)[^\n]*(?:\n|$))*/.exec(lines) ?? [];
  const text = quoted ?? block?.replace(/^\s*\* ?/gm, "") ?? comments.replace(/^(?:#|\/\/) ?/gm, "");
  return text.trim();
}

const errors: Readonly<Record<string, string>> = {
  "skill-not-found": "not_found",
  "resource-not-found": "not_found",
  "path-outside-skill": "not_found",
  "script-timeout": "timeout",
};

function refuse(problem: SkillError): Omit<ToolResult, "isError"> {
  const { arguments: count, parse } = problem.details;
  const own = count === undefined ? (parse === true ? "parse_error" : undefined) : "args_too_large";
  const error = own ?? errors[problem.code] ?? "execution_failed";
  const structured = { success: false, error, message: problem.message };
  return { text: JSON.stringify(structured), structured };
}
