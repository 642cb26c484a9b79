import { unescapeMarkup } from "@skillholm/core/dialect";
import type { ToolAnswer } from "./guide-turn.ts";
import { type Heading, parseHeadings } from "./headings.ts";

const honesty = "*I am the built-in guide, not a language model: I find skills and show them. I cannot follow them.*";

/** The names in a search's result, the best first. */
export function readNames(results: string): readonly string[] {
  return [...results.matchAll(/<name>([^<]*)<\/name>/g)].map(([, name = ""]) => unescapeMarkup(name));
}

/** Whether a search's result begins with words of doubt. */
export function isDoubtful(results: string): boolean {
  return !results.startsWith("<search_results>");
}

export function answerNoSkills(): string {
  return `There is no skill here that a model may use. \`skillholm list\` shows what there is, and why.\n\n${honesty}`;
}

export function answerNothingFound(question: string): string {
  const hint = question === "" ? "Ask something" : "Try the words that its description would use";
  return `No skill matches that. ${hint}, or look through the list of skills.\n\n${honesty}`;
}

export function answerNotSure(names: readonly string[]): string {
  return `No skill clearly matches that. The nearest: ${names.slice(0, 3).map(asCode).join(", ")}.\n\n${honesty}`;
}

export function answerRefused({ text }: ToolAnswer): string {
  return `That did not work: ${asText(text)}\n\n${honesty}`;
}

/** What an activated skill is, in outline. Its text stays in the activation. */
export function answerActivated({ text }: ToolAnswer): string {
  const [, name = "", inside = ""] = /^<skill_content name="([^"]*)">\n([\s\S]*)$/.exec(text) ?? [];
  const resources = inside.slice(inside.lastIndexOf("\n<skill_resources>"));
  const files = [...resources.matchAll(/^<file>([^<]*)<\/file>$/gm)].map((match) =>
    asCode(unescapeMarkup(match[1] ?? "")),
  );
  const instructions = inside.slice(0, inside.lastIndexOf("\nSkill directory: ")).trim();
  const headings = parseHeadings(instructions);
  const lines = [`The skill ${asCode(unescapeMarkup(name))} fits best, and is activated.`];
  if (headings.length > 0) lines.push("", "Its instructions in outline:", "", ...renderOutline(headings));
  else lines.push("", describeLength(instructions));
  if (files.length > 0)
    lines.push("", `It brings ${files.length === 1 ? "a file" : `${files.length} files`}: ${some(files)}.`);
  return [...lines, "", honesty].join("\n");
}

const mostHeadings = 12;
const titleLength = 100;

function renderOutline(headings: readonly Heading[]): readonly string[] {
  const top = Math.min(...headings.map(({ depth }) => depth));
  const lines = headings.map(({ depth, title }) => `${"  ".repeat(depth - top)}- ${asText(clip(title))}`);
  const more = lines.length - mostHeadings;
  return more > 0 ? [...lines.slice(0, mostHeadings), `- … and ${more} more`] : lines;
}

function clip(title: string): string {
  return title.length > titleLength ? `${title.slice(0, titleLength).toWellFormed()}…` : title;
}

function some(files: readonly string[]): string {
  return files.length > 5 ? `${files.slice(0, 5).join(", ")} and ${files.length - 5} more` : files.join(", ");
}

function describeLength(instructions: string): string {
  if (instructions === "") return "It has no instructions.";
  const lines = instructions.split("\n").length;
  return `Its instructions are ${lines === 1 ? "one line" : `${lines} lines`} long and have no headings.`;
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
