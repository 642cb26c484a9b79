import { dropHidden, problemNow } from "@skillholm/core/dialect";
import { type Session, type Skill, SkillError } from "@skillholm/core/portable";
import { createTool, type SkillTool } from "@skillholm/tools";
import * as z from "zod";
import { listEntries } from "./list-entries.ts";
import { mycodeagentProfile } from "./policies.ts";
import { nowhere, type Profile, type ToolHost } from "./profile.ts";

const toolName = "Skill";

const usage = `Loads a skill: instructions for a special task, kept in this project. Call it when a task matches a skill's description, or when the user names a skill. Then follow the instructions that it returns; relative paths in them start at the base directory that it names.

Parameters:
- name (string, required): the skill's name.
- args (string, optional): what the skill should work on; it takes the place of $ARGUMENTS in the instructions.

Examples:
{"name": "code-review"}
{"name": "code-review", "args": "src/main.py"}`;

const rules = `# Skills

- When the user mentions a skill by name (for example $code-review, or "use code-review skill"), load it with the ${toolName} tool.
- When a task clearly matches a skill's description, consider loading that skill.
- Load a skill only when it is needed; do not preload all skills.`;

function describeTool(entries: readonly string[], missing: number): string {
  const more = missing === 0 ? [] : [`(${missing} more skills are not listed: there is no room for them.)`];
  return [usage, "", "Available skills:", ...entries, ...more].join("\n");
}

function renderEntry({ name, description }: Skill): string {
  return `- ${name}: ${dropHidden(description).replace(/\s+/g, " ")}`;
}

type Code = "INVALID_PARAM" | "NOT_FOUND" | "PERMISSION_DENIED" | "EXECUTION_ERROR" | "INTERNAL_ERROR";

/** Each refusal as a code of this system. */
function codeOf({ code, message }: SkillError): Code {
  // Who may not open a file is told so, wherever it was found out.
  if (code === "permission-denied" || message.includes("permission denied")) return "PERMISSION_DENIED";
  if (code === "invalid-input" || code === "skill-ambiguous") return "INVALID_PARAM";
  if (code === "skill-not-found" || code === "skill-disabled" || code === "skill-untrusted") return "NOT_FOUND";
  // What never had a right name was never listed.
  if (code === "skill-invalid") return /\bname .* should (?:be|have)/.test(message) ? "NOT_FOUND" : "INTERNAL_ERROR";
  return "EXECUTION_ERROR";
}

const nextSteps: Readonly<Record<Code, string>> = {
  INVALID_PARAM: 'Give the name of one skill, as {"name": "code-review"}.',
  NOT_FOUND: "Use one of the skills that the tool lists, or go on without one.",
  PERMISSION_DENIED: "Ask the user to make the file readable or to allow the skill, or go on without it.",
  EXECUTION_ERROR: "Try once more, or go on without the skill.",
  INTERNAL_ERROR: "Tell the user that the skill's file needs mending, and go on without it.",
};

function relativeTo(cwd: string, path: string): string {
  return cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function createSkillTool(session: Session, { cwd }: ToolHost, list: string): SkillTool {
  const describe = (input: unknown, started: number, path?: string) => ({
    stats: { time_ms: Math.max(0, Math.round(performance.now() - started)) },
    context: { cwd, params_input: Object(input) as object, ...(path !== undefined && { path_resolved: path }) },
  });
  let started = performance.now();
  return createTool({
    name: toolName,
    title: "Load a skill",
    description: list,
    inputSchema: z.object({
      name: z.string().min(1).max(200).describe("The skill's name"),
      args: z.string().max(100_000).optional().describe("What the skill should work on"),
      from: z.string().max(200).optional().describe("The active skill whose instructions say to load this one"),
    }),
    run: async (input) => {
      started = performance.now();
      const { name, args, from } = input;
      const activation = await session.activate(name, { given: args, from });
      const { skill, instructions, removed } = activation;
      // Where nobody looked again before the call, the file may be no skill any more.
      const problem = problemNow(skill, activation.file, session.policy);
      if (problem !== undefined) throw new SkillError("skill-invalid", `"${skill.name}" cannot be used: ${problem}.`);
      const base = relativeTo(cwd, skill.dir);
      const cut = removed > 0 ? `\n\n[${removed} bytes were cut here: the skill is too long.]` : "";
      const content = `Base directory for this skill: ${base}\n\n${instructions}${cut}`;
      await session.keep(activation, content);
      return {
        status: removed > 0 ? "partial" : "success",
        data: { name: skill.name, base_dir: base, content },
        text: `Loaded the skill "${skill.name}". Follow its instructions.`,
        ...describe(input, started, relativeTo(cwd, skill.path)),
      };
    },
    render: (output) => JSON.stringify(output),
    refuse: (error, input) => {
      const code = codeOf(error);
      const structured = {
        status: "error",
        data: {},
        text: `${error.message} ${nextSteps[code]}`,
        error: { code, message: error.message },
        ...describe(input, started),
      };
      return { text: JSON.stringify(structured), structured };
    },
  });
}

/** MyCodeAgent: one tool that lists and loads the project's skills, and answers in an envelope. */
export const mycodeagent: Profile = {
  ...mycodeagentProfile,
  takesArguments: true,
  renderCatalog: (view, limits) =>
    listEntries(view, limits, {
      renderEntry,
      renderFrame: (entries, { shown, total }) =>
        `# Tools\n\n## ${toolName}\n\n${describeTool(entries, total - shown)}\n\n${rules}`,
    }),
  loadCall: (name, args) => ({ name: toolName, input: { name, ...(args !== undefined && { args }) } }),
  createTools: (session, given = nowhere) => {
    const skills = session.visible();
    const [first] = skills;
    if (first === undefined) return [];
    // Without a program around it, its project is the skills' own.
    const host = given.cwd === "" ? { ...given, cwd: first.root.project ?? "" } : given;
    const { text } = listEntries({ skills }, host.catalog ?? mycodeagent.limits, {
      renderEntry,
      renderFrame: (entries, { shown, total }) => describeTool(entries, total - shown),
    });
    return [createSkillTool(session, host, text)];
  },
};
