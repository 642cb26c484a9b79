import type { Diagnostic } from "./diagnostic.ts";
import type { Head } from "./frontmatter.ts";
import type { Root } from "./root.ts";
import type { Skill } from "./skill.ts";
import type { Candidate } from "./source.ts";
import type { YamlProblem } from "./yaml.ts";

/** What became of one candidate: a skill, or the reason why not. */
export interface Parsed {
  readonly root: Root;
  readonly path: string;
  readonly dir: string;
  /** The claimed name, or the folder's where none can be read. */
  readonly name: string;
  readonly skill?: Skill;
  readonly reason?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A skill without a certain name or description cannot load; any other key it can do without. */
export function lossSeverity(key: string): "error" | "warning" {
  return key === "name" || key === "description" ? "error" : "warning";
}

// A hostile file could fill memory with problems; nobody reads more than the first.
const problemsTold = 50;

/** Gathers the diagnostics of one candidate. */
export class Report {
  readonly candidate: Candidate;
  readonly diagnostics: Diagnostic[] = [];
  /** Top-level keys whose value is not certain. */
  readonly lost: string[] = [];
  name: string;
  readonly head: Head;

  constructor(candidate: Candidate, head: Head) {
    this.candidate = candidate;
    this.head = head;
    this.name = candidate.folder;
  }

  add(
    code: Diagnostic["code"],
    severity: Diagnostic["severity"],
    message: string,
    line?: number,
    column?: number,
  ): void {
    const place = line === undefined ? {} : { line, column: column ?? 1 };
    this.diagnostics.push({ code, severity, path: this.candidate.path, ...place, message });
  }

  /** At the line of a key; a key that is not there is told at the first line. */
  addAt(key: string, code: Diagnostic["code"], severity: Diagnostic["severity"], message: string): void {
    const { text, line } = this.head;
    const start = text.startsWith(key) ? 0 : text.indexOf(`\n${key}`) + 1 || text.indexOf(JSON.stringify(key));
    const found = start > 0 || text.startsWith(key);
    this.add(
      code,
      severity,
      message,
      found ? line + text.slice(0, start).split("\n").length - 1 : Math.max(1, line - 1),
    );
  }

  addYaml(problems: readonly YamlProblem[], firstLine: number): void {
    for (const { code, message, line, column, lost } of problems) {
      if (lost !== undefined) this.lost.push(lost);
      const harmless = code === "yaml-repaired" || code === "key-duplicate";
      const severity = lost !== undefined ? lossSeverity(lost) : harmless ? "warning" : "error";
      const told = this.diagnostics.length < problemsTold || severity === "error";
      if (told) this.add(code, severity, message, firstLine + line - 1, column);
    }
  }

  hasError(): boolean {
    return this.firstError() !== undefined;
  }

  firstError(): Diagnostic | undefined {
    return this.diagnostics.find((each) => each.severity === "error");
  }

  reject(code: Diagnostic["code"], message: string, line: number): Parsed {
    this.add(code, "error", message, line);
    return this.fail(message);
  }

  fail(reason: string): Parsed {
    return { ...this.place(), name: this.name, reason, diagnostics: this.diagnostics };
  }

  accept(skill: Skill): Parsed {
    return { ...this.place(), name: skill.name, skill, diagnostics: this.diagnostics };
  }

  private place(): Pick<Parsed, "root" | "path" | "dir"> {
    const { root, path, dir } = this.candidate;
    return { root, path, dir };
  }
}
