import type { DiagnosticCode } from "./diagnostic.ts";

/** What about a skill can matter to a client: a finding of the validator, or one of its own. */
export type ClientFact =
  | DiagnosticCode
  | "byte-order-mark"
  | "leading-blanks"
  | "opening-blanks"
  | "name-typed"
  | "metadata-typed"
  | "description-list"
  | "too-deep";

/**
 * What another client makes of skills, as it was seen on a day. Facts, not guesses: say in `how` what was done. Something
 * has changed? Look again, mend the line, and write the new version and day.
 */
export interface Client {
  readonly id: string;
  readonly version: string;
  /** The day of looking. */
  readonly checked: string;
  readonly how: string;
  /** It does not show the skill, and why. */
  readonly drops: Readonly<Partial<Record<ClientFact, string>>>;
  /** The keys that it reads; others have no effect there. */
  readonly reads: readonly string[] | "all";
  /** How many folders below its root a skill may lie. */
  readonly depth?: number;
}

export const clients: readonly Client[] = [
  {
    id: "codex",
    version: "0.166.0",
    checked: "2026-11-16",
    how: "asked its app server for skills/list over folders with one fault each",
    drops: {
      "frontmatter-missing": "it finds no frontmatter",
      "byte-order-mark": "the file has to begin with ---, without a byte order mark",
      "leading-blanks": "the file has to begin with ---",
      "frontmatter-unclosed": "it finds no end of the frontmatter",
      "frontmatter-fence": "the closing line has to be ---",
      "name-too-long": "a name has at most 64 characters",
      "description-missing": "a description has to be there",
      "description-list": "a description has to be text",
      "key-duplicate": "a key may be there only once",
      "file-missing": "it looks for SKILL.md in this spelling",
      "too-deep": "it looks at most 6 folders deep",
    },
    reads: ["name", "description", "metadata"],
    depth: 6,
  },
  {
    id: "gemini",
    version: "0.61.0",
    checked: "2026-11-16",
    how: "read skillLoader.js of @google/gemini-cli-core",
    drops: {
      "frontmatter-missing": "it finds no frontmatter",
      "byte-order-mark": "the file has to begin with ---, without a byte order mark",
      "leading-blanks": "the file has to begin with ---",
      "frontmatter-unclosed": "it finds no end of the frontmatter",
      "opening-blanks": "the first line has to be --- without blanks after it",
      "name-missing": "a name has to be there",
      "description-missing": "a description has to be there",
      "file-missing": "it looks for SKILL.md in this spelling",
      "too-deep": "it looks only one folder deep",
    },
    reads: ["name", "description"],
    depth: 1,
  },
  {
    id: "opencode",
    version: "1.18.34",
    checked: "2026-11-16",
    how: "ran `opencode debug skill` over folders with one fault each",
    drops: {
      "frontmatter-missing": "it finds no frontmatter",
      "leading-blanks": "the file has to begin with ---",
      "name-missing": "a name has to be there",
      "name-typed": "a name has to be text: put it in quotes",
      "description-list": "a description has to be text",
      "key-duplicate": "a key may be there only once",
      "file-missing": "it looks for SKILL.md in this spelling",
    },
    reads: ["name", "description", "license", "compatibility", "metadata"],
  },
  {
    id: "mcp",
    version: "2.4.0",
    checked: "2026-11-16",
    how: "ran the Skills extension of @modelcontextprotocol/server on texts with one fault each",
    drops: {
      "frontmatter-missing": "it finds no frontmatter",
      "frontmatter-unclosed": "it finds no end of the frontmatter",
      "leading-blanks": "the file has to begin with ---",
      "frontmatter-fence": "the closing line has to be ---",
      "key-duplicate": "a key may be there only once",
      "opening-blanks": "the first line has to be --- without blanks after it",
      "yaml-repaired": "the frontmatter has to be YAML",
      "yaml-invalid": "the frontmatter has to be YAML",
      "name-missing": "a name has to be there",
      "name-typed": "a name has to be text: put it in quotes",
      "name-invalid": "a name has only a to z, digits and single hyphens",
      "name-too-long": "a name has at most 64 characters",
      "name-mismatch": "the name has to be the folder's",
      "description-missing": "a description has to be there",
      "description-list": "a description has to be text",
      "description-too-long": "a description has at most 1,024 characters",
      "compatibility-invalid": "compatibility has 1 to 500 characters",
      "metadata-typed": "metadata is text: put numbers and truths in quotes",
      "metadata-invalid": "metadata is keys with a text each",
      "file-missing": "it looks for SKILL.md in this spelling",
    },
    reads: "all",
  },
];
