import type { DiagnosticCode } from "./diagnostic.ts";

/** What about a skill can matter to a client: a finding of the validator, or one of its own. */
export type ClientFact =
  | DiagnosticCode
  | "byte-order-mark"
  | "leading-blanks"
  | "opening-blanks"
  /** A number, a truth or nothing where a text should be. */
  | "name-typed"
  | "description-typed"
  | "metadata-typed"
  /** `disable-model-invocation` or `user-invocable` that is neither `true` nor `false`. */
  | "flag-typed"
  | "description-list"
  /** Three dashes within a line of the frontmatter. */
  | "dashes-inside"
  /** Signs in the name beyond ASCII's letters, digits, blanks and `. _ : -`, or a hyphen first. */
  | "name-signs"
  | "too-deep"
  | "too-large";

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
  /** It shows the skill otherwise than it is written, and how. */
  readonly changes?: Readonly<Partial<Record<ClientFact, string>>>;
  /** Characters of a description, with when to use it, that it shows. */
  readonly shortens?: number;
  /** Keys that hide a skill, from whom, and at which values. */
  readonly hides?: readonly { readonly key: string; readonly value: RegExp; readonly effect: string }[];
  /** The keys that it reads; others have no effect there. */
  readonly reads: readonly string[] | "all";
  /** How many folders below its root a skill may lie. */
  readonly depth?: number;
  /** How large a `SKILL.md` may be, in bytes. */
  readonly bytes?: number;
}

const unread = "it shows the first line below the frontmatter instead of the description";
const yes = /^(?:true|yes|on|1)$/i;

export const clients: readonly Client[] = [
  {
    id: "claude",
    version: "2.1.325",
    checked: "2026-11-16",
    how: "ran it against a local model server over folders with one fault each, and read the skills in its requests",
    drops: {
      "file-missing": "it looks for SKILL.md in this spelling",
      "too-deep": "it looks only one folder deep",
      "too-large": "the file has at most 1,000,000 bytes",
    },
    changes: {
      "frontmatter-missing": unread,
      "leading-blanks": unread,
      "frontmatter-unclosed": unread,
      "frontmatter-not-a-mapping": unread,
      "yaml-invalid": unread,
      "nul-byte": unread,
      "description-missing": unread,
      "description-list": unread,
      "key-case": "it reads keys in small letters only",
      "dashes-inside": "it takes --- within a line for the end: what follows is lost",
      "name-mismatch": "it shows the folder's name, and this one beside it",
    },
    shortens: 1536,
    hides: [
      { key: "disable-model-invocation", value: yes, effect: "models do not see it" },
      { key: "user-invocable", value: /^(?:false|no|off|0)$/i, effect: "people cannot call it by /name" },
      { key: "paths", value: /./, effect: "models see it once a file that matches paths was read" },
    ],
    reads: [
      "name",
      "description",
      "when_to_use",
      "allowed-tools",
      "disallowed-tools",
      "arguments",
      "argument-hint",
      "model",
      "effort",
      "context",
      "agent",
      "hooks",
      "paths",
      "disable-model-invocation",
      "user-invocable",
      "shell",
      "version",
      "metadata",
    ],
    depth: 1,
    bytes: 1_000_000,
  },
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
      "name-signs": "a name has only a to z, digits and single hyphens",
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
  {
    id: "copilot",
    version: "1.0.102",
    checked: "2026-11-16",
    how: "ran `copilot skill list`, and a prompt against a local model server, over folders with one fault each",
    drops: {
      "frontmatter-missing": "it finds no frontmatter",
      "leading-blanks": "the file has to begin with ---",
      "frontmatter-unclosed": "it finds no end of the frontmatter",
      "frontmatter-fence": "the closing line has to be ---",
      "yaml-repaired": "the frontmatter has to be YAML",
      "yaml-invalid": "the frontmatter has to be YAML",
      "key-duplicate": "a key may be there only once",
      "nul-byte": "the frontmatter may not hold a NUL",
      "name-typed": "a name has to be text: put it in quotes",
      "name-too-long": "a name has at most 64 characters",
      "name-signs": "a name has only a to z, digits, blanks and . _ : -, and no hyphen first",
      "description-list": "a description has to be text",
      "description-typed": "a description has to be text: put it in quotes",
      "description-too-long": "a description has at most 1,024 characters",
      "flag-typed": "disable-model-invocation and user-invocable are true or false, without quotes",
      "file-missing": "it looks for SKILL.md in this spelling",
      "too-large": "the file has at most 1,048,576 bytes",
    },
    changes: {
      "description-missing": "it shows the beginning of the body instead of a description",
      "name-mismatch": "it knows the skill by this name only, not by its folder's",
    },
    hides: [{ key: "disable-model-invocation", value: /^true$/, effect: "models do not see it" }],
    reads: ["name", "description", "allowed-tools", "argument-hint", "disable-model-invocation", "user-invocable"],
    bytes: 1_048_576,
  },
];
