import { unescapeMarkup } from "@skillholm/core/dialect";
import type { ToolAnswer } from "./guide-turn.ts";

const honesty = "*I am the built-in guide, not a language model: I find skills and show them. I cannot follow them.*";

/** The name of the best skill in a search's result. */
export function readFirstName(results: string): string | undefined {
  const name = /<name>([^<]*)<\/name>/.exec(results)?.[1];
  return name === undefined ? undefined : unescapeMarkup(name);
}

export function answerNoSkills(): string {
  return `There are no skills here yet. Put a folder with a \`SKILL.md\` into \`~/.agents/skills\` and ask again.\n\n${honesty}`;
}

export function answerNothingFound(question: string): string {
  const hint = question === "" ? "Ask something" : "Try the words that its description would use";
  return `No skill matches that. ${hint}, or look through the list of skills.\n\n${honesty}`;
}

export function answerRefused({ text }: ToolAnswer): string {
  return `That did not work: ${asText(text)}\n\n${honesty}`;
}

/** What an activated skill is, in outline. Its text stays in the activation. */
export function answerActivated({ text }: ToolAnswer): string {
  const [, name = "", inside = ""] = /^<skill_content name="([^"]*)">\n([\s\S]*)$/.exec(text) ?? [];
  const files = [...inside.matchAll(/^<file>([^<]*)<\/file>$/gm)].map((match) =>
    asCode(unescapeMarkup(match[1] ?? "")),
  );
  const instructions = inside.slice(0, inside.lastIndexOf("\nSkill directory: ")).trim();
  const headings = readHeadings(instructions);
  const lines = [`The skill ${asCode(unescapeMarkup(name))} fits best, and is activated.`];
  if (headings.length > 0) lines.push("", "Its instructions in outline:", "", ...headings);
  else lines.push("", `Its instructions are ${countLines(instructions)} long and have no headings.`);
  if (files.length > 0)
    lines.push("", `It brings ${files.length === 1 ? "a file" : `${files.length} files`}: ${some(files)}.`);
  return [...lines, "", honesty].join("\n");
}

const mostHeadings = 12;

/** The headings outside of code blocks, as a list. */
function readHeadings(markdown: string): readonly string[] {
  const found: { readonly depth: number; readonly title: string }[] = [];
  let fence = "";
  for (const line of markdown.split("\n")) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== "") fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    const [, hashes = "", title = ""] =
      fence === "" ? (/^(#{1,6})[ \t]+(.+?)[ \t]*#*$/.exec(line.trimEnd()) ?? []) : [];
    if (title !== "") found.push({ depth: hashes.length, title });
  }
  const top = Math.min(...found.map(({ depth }) => depth));
  const list = found.map(({ depth, title }) => `${"  ".repeat(depth - top)}- ${asText(title)}`);
  return list.length > mostHeadings
    ? [...list.slice(0, mostHeadings), `- … and ${list.length - mostHeadings} more`]
    : list;
}

function some(files: readonly string[]): string {
  return files.length > 5 ? `${files.slice(0, 5).join(", ")} and ${files.length - 5} more` : files.join(", ");
}

function countLines(text: string): string {
  const lines = text.split("\n").length;
  return lines === 1 ? "one line" : `${lines} lines`;
}

/** Somebody's words inside our Markdown: they stay words. */
function asText(text: string): string {
  const escaped = text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>!#|~&]/g, "\\$&");
  // What would begin a list.
  return escaped.replace(/^(\d+)(?=[.)])/, "$1\\").replace(/^[-+]/, "\\$&");
}

function asCode(text: string): string {
  const plain = text.replace(/\s+/g, " ");
  return plain.includes("`") ? asText(plain) : `\`${plain}\``;
}
