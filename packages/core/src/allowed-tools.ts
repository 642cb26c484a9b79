import { matchesPattern } from "./policy.ts";
import type { Interpreter } from "./runner.ts";

/** One entry of `allowed-tools`: a tool, and what of it; `Bash(git:*)` or `Read`. */
interface ToolPattern {
  readonly tool: string;
  /** Absent: all that the tool does. */
  readonly argument?: string;
}

function parseToolPattern(text: string): ToolPattern {
  const [, tool = text.trim(), argument = ""] = /^\s*([^\s()]+)\s*\((.*)\)\s*$/s.exec(text) ?? [];
  const of = argument.trim();
  return of === "" || of === "*" ? { tool } : { tool, argument: of };
}

/** What people call the tool that a script needs: a shell, or ours by any profile's name. */
const shells = new Set(["bash", "shell", "run_skill_script", "script_run"]);

/** Whether a skill asks for the tool that one of its scripts needs. */
export function asksForScript(entries: readonly string[], script: string, interpreter: Interpreter): boolean {
  const commands = commandsOf(script, interpreter);
  return entries.map(parseToolPattern).some(({ tool, argument }) => {
    if (!shells.has(tool.toLowerCase())) return false;
    return argument === undefined || commands.some((command) => matchesCommand(command, argument));
  });
}

/** The entry that would ask for it. */
export function entryFor(script: string): string {
  return `Bash(${script}:*)`;
}

/** The lines with which somebody in a shell would start it. */
function commandsOf(script: string, { name, path }: Interpreter): readonly string[] {
  const programs = new Set([name, path, path.slice(path.lastIndexOf("/") + 1)]);
  const paths = [script, `./${script}`];
  return [...paths, ...[...programs].flatMap((program) => paths.map((each) => `${program} ${each}`))];
}

/** `git:*` is the command `git` with anything after it; other stars stand for any text. */
function matchesCommand(command: string, pattern: string): boolean {
  if (!pattern.endsWith(":*")) return matchesPattern(command, pattern);
  const start = pattern.slice(0, -2);
  return matchesPattern(command, start) || matchesPattern(command, `${start} *`);
}
