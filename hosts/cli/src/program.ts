import { closestNames, SkillError } from "@skillholm/core";
import { Command } from "commander";
import type { BundleCommandOptions } from "./commands/bundle.ts";
import type { ConfigOptions } from "./commands/config.ts";
import type { DoctorOptions } from "./commands/doctor.ts";
import type { LoadOptions } from "./commands/load.ts";
import type { McpCommandOptions } from "./commands/mcp.ts";
import type { PermissionsOptions } from "./commands/permissions.ts";
import type { PromptOptions } from "./commands/prompt.ts";
import type { ReadOptions } from "./commands/read.ts";
import type { RunOptions } from "./commands/run.ts";
import type { SearchCommandOptions } from "./commands/search.ts";
import type { ServeOptions } from "./commands/serve.ts";
import type { ToolOptions } from "./commands/tool.ts";
import type { TrustOptions } from "./commands/trust.ts";
import type { ValidateOptions } from "./commands/validate.ts";
import type { Context, GlobalOptions } from "./context.ts";

type Run = (context: Context) => Promise<number>;

/** The commands and their options. Each command's module is loaded when it runs, so that none slows the others. */
export function createProgram(version: string, run: (options: GlobalOptions, command: Run) => Promise<void>): Command {
  const program = new Command("skillholm");
  const start = (command: Run) => run(program.optsWithGlobals<GlobalOptions>(), command);
  program
    .description("Finds, checks and loads Agent Skills.")
    .version(version)
    .option("--root <dir[=scope]>", "look here instead of the default roots (repeatable)", collect)
    .option("--cwd <dir>", "the project's folder")
    .option(
      "--profile <name>",
      "whose rules and shapes: standard, remcochat, codelia, agent-base, mycodeagent, smallebot",
    )
    .option("--config <file>", "a configuration in place of the project's")
    .option("--json", "data for programs")
    .option("--no-color", "no colours")
    .option("--debug", "show where an error came from")
    .argument("[command]")
    .usage("[options] [command]")
    .helpCommand("help [command]", "help on a command")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .action(async (unknown: string | undefined) => {
      if (unknown !== undefined) throw unknownCommand(program, unknown);
      await start((await import("./commands/overview.ts")).runOverview);
    });
  program
    .command("list")
    .description("every skill found, and every folder that is not listed with the reason")
    .action(async () => start((await import("./commands/list.ts")).runList));
  program
    .command("show")
    .argument("<name>", "name, name@scope or a path")
    .description("one skill: fields, files, cost, diagnostics, where it stands")
    .action(async (name: string) => {
      const { runShow } = await import("./commands/show.ts");
      await start((context) => runShow(context, name));
    });
  program
    .command("search")
    .argument("<query...>", "what it is for, in words, or a name")
    .option("--limit <number>", "how many at most (8, up to 50)")
    .option("--scope <scope>", "only skills of this scope")
    .description("the skills that fit, best first, and why")
    .action(async (words: string[], options: SearchCommandOptions) => {
      const { runSearch } = await import("./commands/search.ts");
      await start((context) => runSearch(context, words.join(" "), options));
    });
  program
    .command("prompt")
    .option("--budget <tokens>", "what it may cost (skills.budget_tokens)")
    .option("--for <task>", "give the space to what this task needs")
    .option("--no-tools", "for a model that cannot call tools")
    .option("--session <file>", "the conversation that it is for")
    .option("--explain", "what each skill costs, and what was cut")
    .description("what the model sees at the start")
    .action(async (options: PromptOptions) => {
      const { runPrompt } = await import("./commands/prompt.ts");
      await start((context) => runPrompt(context, options));
    });
  program
    .command("load")
    .argument("<name>", "name, name@scope or a path")
    .option("--args <text>", "what the skill should work on")
    .option("--section <title>", "only this section of long instructions")
    .option("--session <file>", "keep the conversation's ledger here between calls")
    .option("--messages <file>", "the conversation as it is now, as JSON")
    .description("what the model gets when a skill is activated")
    .action(async (name: string, options: LoadOptions) => {
      const { runLoad } = await import("./commands/load.ts");
      await start((context) => runLoad(context, name, options));
    });
  program
    .command("read")
    .argument("<name>", "name, name@scope or a path")
    .argument("<path>", "a file of the skill, relative to its folder")
    .option("--lines <range>", "only these, as 10-40")
    .option("--session <file>", "keep the conversation's ledger here between calls")
    .description("one file of a skill")
    .action(async (name: string, path: string, options: ReadOptions) => {
      const { runRead } = await import("./commands/read.ts");
      await start((context) => runRead(context, name, path, options));
    });
  program
    .command("run")
    .argument("<name>", "name, name@scope or a path")
    .argument("<script>", "a script of the skill, relative to its folder, as scripts/convert.py")
    .argument("[args...]", "its arguments, after --")
    .option("--timeout <seconds>", "end it after this long (60, up to 600)")
    .option("--yes", "answer the question whether it may run")
    .option("--remember <how-long>", "let the answer hold: session or always")
    .option("--input <file>", "a file that it finds in $SKILL_INPUT (repeatable)", collect)
    .option("--output <dir>", "put what it leaves in $SKILL_OUTPUT there")
    .option("--grant <door>", "open the sandbox: network, read:DIR, write:DIR, env:NAME (repeatable)", collect)
    .option("--session <file>", "keep the conversation's ledger here between calls")
    .description("runs one script of a skill, in the sandbox")
    .action(async (name: string, script: string, args: string[], options: RunOptions) => {
      const { runRun } = await import("./commands/run.ts");
      await start((context) => runRun(context, name, script, args, options));
    });
  program
    .command("tool")
    .argument("[name]", "one of the profile's tools; without it: which there are")
    .argument("[json]", "its input")
    .option("--yes", "answer what a rule would ask")
    .option("--remember <how-long>", "let the answer hold: session or always")
    .option("--session <file>", "keep the conversation's ledger here between calls")
    .option("--messages <file>", "the conversation as it is now, as JSON")
    .description("calls a tool exactly as a model would")
    .action(async (name: string | undefined, input: string | undefined, options: ToolOptions) => {
      const { runTool } = await import("./commands/tool.ts");
      await start((context) => runTool(context, name, input, options));
    });
  program
    .command("trust")
    .argument("[dir]", "default: this project; or mcp://NAME, another server's skills")
    .option("--yes", "answer for a script")
    .option("--list", "the trusted folders")
    .option("--revoke", "trust it no longer")
    .description("let a project's own skills load")
    .action(async (dir: string | undefined, options: TrustOptions) => {
      const { runTrust } = await import("./commands/trust.ts");
      await start((context) => runTrust(context, dir, options));
    });
  program
    .command("compat")
    .argument("[state]", "on or off")
    .argument("[agents...]", "claude, codex, gemini, opencode, cursor, copilot")
    .description("read other agents' skill folders too")
    .action(async (state: string | undefined, names: string[]) => {
      const { runCompat } = await import("./commands/compat.ts");
      await start((context) => runCompat(context, state, names));
    });
  program
    .command("doctor")
    .argument("[name]", "name, name@scope or a path; default: everything")
    .option("--for <clients>", "whether these would show it: claude, codex, gemini, opencode, mcp, copilot")
    .description("why a skill is not there, and what to do")
    .action(async (name: string | undefined, options: DoctorOptions) => {
      const { runDoctor } = await import("./commands/doctor.ts");
      await start((context) => runDoctor(context, name, options));
    });
  program
    .command("config")
    .option("--schema", "the JSON Schema of the configuration, for editors")
    .description("the settings that count, where each came from, and what is ignored and why")
    .action(async (options: ConfigOptions) => {
      const { runConfig } = await import("./commands/config.ts");
      await start((context) => runConfig(context, options));
    });
  program
    .command("validate")
    .argument("<path...>", "a skill's folder or its SKILL.md")
    .option("--fix", "mend what can be mended without guessing, and show it")
    .option("--sarif", "the findings as SARIF, for code hosts")
    .option("--for <clients>", "whether these would show it: claude, codex, gemini, opencode, mcp, copilot")
    .description("the specification to the letter, and advice beyond it")
    .action(async (paths: string[], options: ValidateOptions) => {
      const { runValidate } = await import("./commands/validate.ts");
      await start((context) => runValidate(context, paths, options));
    });
  program
    .command("bundle")
    .argument("[name...]", "name, name@scope or a path; default: all that a model may see")
    .option("--out <file>", "a .js or .ts file (default: the standard output)")
    .option("--force", "replace a file that is no bundle")
    .description("skills as one module, for applications without a disk")
    .action(async (names: string[], options: BundleCommandOptions) => {
      const { runBundle } = await import("./commands/bundle.ts");
      await start((context) => runBundle(context, names, options));
    });
  program
    .command("ask")
    .argument("<text...>", "what you need, in words")
    .description("one turn with the model, printed (built in: a guide that finds and shows skills)")
    .action(async (words: string[]) => {
      const { runAsk } = await import("./commands/ask.ts");
      await start((context) => runAsk(context, words.join(" ")));
    });
  program
    .command("permissions")
    .option("--forget <tool...>", "take the answer about a tool, or a tool and a skill, back")
    .option("--log", "what was decided of late, too")
    .description("the rules and remembered answers, and what was decided")
    .action(async (options: PermissionsOptions) => {
      const { runPermissions } = await import("./commands/permissions.ts");
      await start((context) => runPermissions(context, options));
    });
  program
    .command("rpc")
    .description("JSON-RPC 2.0 over standard input and output, one message a line")
    .action(async () => start((await import("./commands/rpc.ts")).runRpc));
  program
    .command("mcp")
    .option("--http <port>", "streamable HTTP on this port, not standard input and output")
    .option("--host <host>", "where to listen (127.0.0.1); elsewhere a token is asked for")
    .option("--key", "ask for the token on this machine, too")
    .option("--print-config <client>", "what to paste for claude, codex, cursor, vscode, opencode or gemini")
    .description("the skills for any client of the Model Context Protocol")
    .action(async (options: McpCommandOptions) => {
      const { runMcp } = await import("./commands/mcp.ts");
      await start((context) => runMcp(context, options));
    });
  program
    .command("selftest")
    .description("walks the conformance skill in a temporary project, and reports each step")
    .action(async () => start((await import("./commands/selftest.ts")).runSelftestCommand));
  program
    .command("serve")
    .option("--host <host>", "where to listen (127.0.0.1)")
    .option("--port <number>", "a port; taken: the next free one (4117)")
    .option("--no-key", "answer everybody on this machine (loopback only)")
    .description("the web app and the HTTP API")
    .action(async (options: ServeOptions) => {
      const { runServe } = await import("./commands/serve.ts");
      await start((context) => runServe(context, options));
    });
  for (const command of program.commands) takeGlobalOptions(command, program);
  return program;
}

function unknownCommand(program: Command, name: string): SkillError {
  const names = program.commands.map((command) => command.name());
  const [near] = closestNames(names, name, 1);
  const hint = near === undefined ? "See: skillholm --help" : `Did you mean "${near}"?`;
  return new SkillError("invalid-input", `There is no command "${name}". ${hint}`);
}

// `skillholm list --json` and `skillholm --json list` are the same.
function takeGlobalOptions(command: Command, program: Command): void {
  command.copyInheritedSettings(program);
  for (const option of program.options) {
    if (option.long !== "--version") command.addOption(option);
  }
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
