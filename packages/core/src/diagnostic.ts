/** A problem in somebody's files, as data. Loading goes on. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning" | "info";
  /** The absolute `SKILL.md`; the folder, file or link itself where there is no skill to name. */
  readonly path: string;
  /** The file of the skill that it is in, where that is another one: relative with `/`. */
  readonly file?: string;
  /** 1-based, in `file`, or in the file at `path`. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Every kind of problem that loading reports. */
export type DiagnosticCode =
  | "root-missing"
  | "root-unreadable"
  | "root-outside-project"
  | "folder-unreadable"
  | "file-unreadable"
  | "file-name"
  | "not-a-file"
  | "link-broken"
  | "link-outside-root"
  | "depth-limit"
  | "scan-limit"
  | "skill-limit"
  | "watch-limit"
  | "encoding"
  | "nul-byte"
  | "frontmatter-missing"
  | "frontmatter-unclosed"
  | "frontmatter-too-large"
  | "frontmatter-not-a-mapping"
  | "frontmatter-fence"
  | "yaml-invalid"
  | "yaml-repaired"
  | "key-duplicate"
  | "key-unknown"
  | "key-case"
  | "name-missing"
  | "name-invalid"
  | "name-too-long"
  | "name-mismatch"
  | "name-collision"
  | "description-missing"
  | "description-too-long"
  | "description-cut"
  | "field-type"
  | "trigger-pattern"
  | "toolset-refused"
  | "openai-yaml"
  | "file-missing"
  | "frontmatter-not-first"
  | "compatibility-invalid"
  | "metadata-invalid"
  | "body-too-long"
  | "reference-missing"
  | "reference-nested"
  | "file-unmentioned"
  | "description-vague"
  | "hidden-text"
  | "state-unreadable";

/** Errors first, then by path, file and line. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  const byFile = compareText(a.path, b.path) || compareText(a.file ?? "", b.file ?? "");
  return rank[a.severity] - rank[b.severity] || byFile || (a.line ?? 0) - (b.line ?? 0);
}

const rank = { error: 0, warning: 1, info: 2 };

/** Code-unit order: the same on every machine and locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
