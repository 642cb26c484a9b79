import { SkillError } from "@skillholm/core";
import type { PromptReport } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { readMessages } from "../request.ts";
import { forOutput, plain, plural, withProgress } from "../terminal.ts";

export interface PromptOptions {
  readonly budget?: string;
  readonly for?: string;
  readonly explain?: boolean;
  readonly tools?: boolean;
  readonly session?: string;
}

/** What the model sees of the skills at the start, and what that costs. */
export async function runPrompt(context: Context, options: PromptOptions): Promise<number> {
  const budget = options.budget === undefined ? undefined : parseBudget(options.budget);
  if (options.for?.trim() === "") throw new SkillError("invalid-input", "--for: an empty text is no task.");
  await context.skills();
  const asked = { budget, task: options.for, tools: options.tools, ...readMessages(options, context.engine.cwd) };
  const report = await withProgress("Writing the catalog…", context.engine.prompt(asked));
  if (context.json) await context.terminal.printJson(report);
  else printReport(context, report, options.explain === true);
  return 0;
}

function parseBudget(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new SkillError("invalid-input", `--budget: "${text}" should be a whole number of tokens, like 4000.`);
}

function printReport({ terminal }: Context, report: PromptReport, explain: boolean): void {
  const { text, tokens, budget, shown, total } = report;
  if (text !== "") terminal.print(forOutput(terminal, text));
  if (explain) printEntries(terminal, report);
  const what =
    total === 0 ? "There are no skills, so nothing is said of them" : `${shown} of ${plural(total, "skill")}`;
  const most = budget === null ? "" : ` of ${budget.toLocaleString("en")}`;
  terminal.note(`${what}: ${tokens.toLocaleString("en")}${most} tokens`);
  if (shown === 0 && total > 0) terminal.note("The budget is too small to name even one. Give more: --budget 4000");
}

function printEntries(terminal: Context["terminal"], { entries }: PromptReport): void {
  terminal.print(`\n${terminal.style("bold", "tokens  shown  skill")}`);
  for (const { name, tokens, shown, reason } of entries) {
    const color = shown === "full" ? "green" : shown === "none" ? "red" : "yellow";
    const label = terminal.style(color, shown.padEnd(5));
    terminal.print(`${String(tokens).padStart(6)}  ${label}  ${plain(name)}  ${terminal.style("dim", reason)}`);
  }
}
