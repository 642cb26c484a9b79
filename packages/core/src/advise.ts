import { adviseFiles } from "./advise-files.ts";
import type { Diagnostic, DiagnosticCode } from "./diagnostic.ts";
import { describeHiddenText, findHiddenText } from "./hidden-text.ts";
import type { SkillFolder } from "./skill-folder.ts";
import { countTokens } from "./tokens.ts";
import type { Frontmatter } from "./value.ts";

/** Where a skill's parts stand in its file, 1-based. */
export interface SkillLines {
  readonly description: number;
  readonly tools: number;
  readonly body: number;
}

/** What the specification recommends and no rule demands, as warnings. */
export function adviseSkill(
  skill: SkillFolder,
  values: Frontmatter,
  body: string,
  lines: SkillLines,
): readonly Diagnostic[] {
  const { path } = skill;
  const warn = (code: DiagnosticCode, line: number, message: string): Diagnostic => {
    return { code, severity: "warning", path, line, column: 1, message };
  };
  return [
    ...adviseLength(body).map((message) => warn("body-too-long", lines.body, message)),
    ...adviseDescription(values).map((message) => warn("description-vague", lines.description, message)),
    ...adviseHidden(skill, values, lines.description).map(({ line, column, message }) => {
      return { ...warn("hidden-text", line, message), column };
    }),
    ...adviseTools(values).map((message) => warn("field-type", lines.tools, message)),
    ...adviseFiles(skill.files, body).map(({ code, line, message }) => warn(code, lines.body + line - 1, message)),
  ];
}

/** In the file itself, in what its description says once YAML's escapes are read, and in the files beside it. */
function adviseHidden({ bytes, files }: SkillFolder, { description = "" }: Frontmatter, line: number) {
  const own = findHiddenText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const found = own.map((each) => ({ line: each.line, column: each.column, message: describeHiddenText(each) }));
  const [escaped] = typeof description === "string" ? findHiddenText(description) : [];
  if (escaped !== undefined && !own.some((each) => each.line === line)) {
    found.push({ line, column: 1, message: `the description holds ${describeHiddenText(escaped)}` });
  }
  for (const [path, text = ""] of files) {
    const [first] = findHiddenText(text);
    if (first !== undefined)
      found.push({ line: 1, column: 1, message: `${path}:${first.line}: ${describeHiddenText(first)}` });
  }
  return found;
}

const tokensAdvised = 5000;
const linesAdvised = 500;
const countedLength = 400_000;

function adviseLength(body: string): readonly string[] {
  // Of a body that is far too long nobody needs the exact number.
  const tokens = body.length > countedLength ? Math.round(body.length / 4) : countTokens(body);
  const lines = body.split("\n").length;
  if (tokens <= tokensAdvised && lines <= linesAdvised) return [];
  const size = `the instructions are about ${tokens} tokens in ${lines} lines`;
  return [`${size}; at most ${tokensAdvised} and ${linesAdvised} are advised. Move details to files in references/`];
}

// `Bash(git add, commit)` may hold a comma; between two tools there is a space.
function adviseTools({ "allowed-tools": tools }: Frontmatter): readonly string[] {
  if (typeof tools !== "string" || !tools.replace(/\([^()]*\)/g, "").includes(",")) return [];
  return ["allowed-tools has commas; the specification has spaces between the tools"];
}

// Words that say for which requests a skill is; in other scripts nobody can tell by a few words.
const occasion =
  /\b(?:when|whenever|use (?:this|it|for|to|if|in|with|on|after|before|during)|used (?:for|to|when)|if (?:the|a|you)|trigger)/i;

function adviseDescription({ description, "when-to-use": whenToUse, when_to_use }: Frontmatter): readonly string[] {
  if (typeof description !== "string" || description.trim() === "" || whenToUse !== undefined) return [];
  const isLatin = !/[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u.test(description);
  if (when_to_use !== undefined || !isLatin || occasion.test(description)) return [];
  return ['the description does not say when to use the skill; add a sentence like "Use when …"'];
}
