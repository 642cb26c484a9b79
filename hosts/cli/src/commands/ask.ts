import { SkillError } from "@skillholm/core";
import { trustCommand } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { clip, harmless, plain, plural } from "../terminal.ts";

/** A tool call of the turn, and what became of it. */
interface Call {
  readonly tool: string;
  readonly input: unknown;
  output?: unknown;
  error?: string;
}

/** One turn with the model, printed as it comes. */
export async function runAsk(context: Context, text: string): Promise<number> {
  const { engine, terminal, json } = context;
  const calls = new Map<string, Call>();
  const lines = createLineWriter((line) => terminal.print(line));
  let answer = "";
  for await (const chunk of await engine.ask(text)) {
    switch (chunk.type) {
      case "tool-input-available":
        calls.set(chunk.toolCallId, { tool: chunk.toolName, input: chunk.input });
        break;
      case "tool-output-available":
        finish(calls.get(chunk.toolCallId), { output: chunk.output });
        break;
      case "tool-output-error":
        finish(calls.get(chunk.toolCallId), { error: chunk.errorText });
        break;
      case "text-delta":
        answer += chunk.delta;
        if (!json) lines.write(chunk.delta);
        break;
      case "error":
        throw new SkillError("unavailable", chunk.errorText);
    }
  }
  await noteWaiting(context);
  if (json) await terminal.printJson({ model: engine.model, answer, calls: [...calls.values()] });
  else lines.end();
  return 0;

  function finish(call: Call | undefined, result: Pick<Call, "output" | "error">): void {
    if (call === undefined) return;
    Object.assign(call, result);
    if (!json) printCall(context, call);
  }
}

/** Skills that an answer could not use, because nobody has trusted their folder yet. */
async function noteWaiting(context: Context): Promise<void> {
  const { hidden } = (await context.skills()).catalog;
  const waiting = hidden.filter(({ state }) => state === "untrusted");
  const commands = new Set(waiting.map(({ root }) => trustCommand(root)));
  if (waiting.length === 0) return;
  context.terminal.note(
    `Waiting for your trust: ${plural(waiting.length, "skill")} of this project. Look first, then:`,
  );
  for (const command of commands) context.terminal.note(`  ${harmless(command)}`);
}

/** Markdown for a terminal, a line at a time: as it was written, without the backslashes that keep words words. */
function createLineWriter(print: (line: string) => void) {
  let rest = "";
  let inFence = false;
  const put = (line: string) => {
    if (/^ {0,3}(```|~~~)/.test(line)) inFence = !inFence;
    // Code spans stay as they are.
    const shown = inFence ? line : line.replace(/(`+).*?\1|\\([!-/:-@[-`{-~])/g, (whole, _, char) => char ?? whole);
    print(harmless(shown));
  };
  return {
    write: (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) put(line);
    },
    end: () => put(rest),
  };
}

/** A tool card as a line: verb, object, cost. */
function printCall({ terminal }: Context, { tool, input, output, error }: Call): void {
  const mark = error === undefined ? terminal.style("green", "▸") : terminal.style("red", "✗");
  const facts = error ?? describeOutput(Object(output));
  const given = clip(plain(Object.values(Object(input)).join(" ")), 48);
  terminal.print(`${mark} ${terminal.style("bold", tool)} ${given}  ${terminal.style("dim", plain(facts))}\n`);
}

interface Output {
  readonly results?: readonly { readonly name: string }[];
  readonly tokens?: number;
  readonly truncated?: boolean;
}

function describeOutput({ results, tokens, truncated }: Output): string {
  if (results !== undefined) {
    const names = results.slice(0, 3).map(({ name }) => name);
    const more = results.length > names.length ? ", …" : "";
    return results.length === 0 ? "no skill" : `${plural(results.length, "skill")}: ${names.join(", ")}${more}`;
  }
  const cost = tokens === undefined ? "" : plural(tokens, "token");
  return truncated ? `${cost}, truncated` : cost;
}
