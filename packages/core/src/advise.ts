import { adviseFiles } from "./advise-files.ts";
import type { Diagnostic, DiagnosticCode } from "./diagnostic.ts";
import { describeHiddenText, findHiddenText, type HiddenText } from "./hidden-text.ts";
import { isMarkdown, type SkillFolder } from "./skill-folder.ts";
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
    ...adviseHidden(skill, values, lines.description).map(({ message, line, ...place }) => {
      return { ...warn("hidden-text", line, message), ...place };
    }),
    ...adviseTools(values).map((message) => warn("field-type", lines.tools, message)),
    ...adviseFiles(skill, body).map(({ code, line, message }) => warn(code, lines.body + line - 1, message)),
  ];
}

interface HiddenAdvice {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** In the file itself, in what its description says once YAML's escapes are read, and in the Markdown beside it. */
function adviseHidden(
  { bytes, files }: SkillFolder,
  { description = "" }: Frontmatter,
  line: number,
): readonly HiddenAdvice[] {
  const own = findHiddenText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const tell = (each: HiddenText): HiddenAdvice => {
    return { line: each.line, column: each.column, message: describeHiddenText(each) };
  };
  const found = own.map(tell);
  const [escaped] = typeof description === "string" ? findHiddenText(description) : [];
  if (escaped !== undefined && !own.some((each) => each.line === line)) {
    found.push({ line, column: 1, message: `the description holds ${describeHiddenText(escaped)}` });
  }
  for (const [file, text = ""] of files) {
    const [first] = isMarkdown(file) ? findHiddenText(text) : [];
    if (first !== undefined) found.push({ file, ...tell(first) });
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
  /\b(?:when|use (?:this|it|for|to|if|in|with|on|after|before|during|as|only|unless|proactively)|used (?:for|to|when)|activate[sd]? (?:on|for|if|by)|if (?:the|a|you)|trigger)/i;
const occasionElsewhere =
  /(?<!\p{L})(?:quand|lors(?:que|qu['’])|wenn|sobald|quando|sempre que|cuando|siempre que|qualora|wanneer|zodra|gdy|kiedy|jeśli|když|pokud|při|khi|saat|ketika|apabila|kullanın)(?!\p{L})/iu;

function adviseDescription({ description, "when-to-use": whenToUse, when_to_use }: Frontmatter): readonly string[] {
  if (typeof description !== "string" || description.trim() === "" || whenToUse !== undefined) return [];
  const isLatin = !/[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/u.test(description);
  if (when_to_use !== undefined || !isLatin || occasion.test(description) || occasionElsewhere.test(description))
    return [];
  return ['the description does not say when to use the skill; add a sentence like "Use when …"'];
}
