import type { Diagnostic } from "./diagnostic.ts";
import type { Head } from "./frontmatter.ts";
import type { Skill } from "./skill.ts";
import type { Candidate, SkillRef } from "./source.ts";
import type { YamlProblem } from "./yaml.ts";

/** What became of one candidate: a skill, or the reason why not. */
export interface Parsed extends SkillRef {
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
    const index = lineOfKey(text, key);
    this.add(code, severity, message, index < 0 ? Math.max(1, line - 1) : line + index);
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

  private place(): SkillRef {
    const { root, path, dir, realPath, realDir } = this.candidate;
    return { root, path, dir, realPath, realDir };
  }
}

/** 0-based line of a top-level key, or of one within it; -1 where there is none. */
export function lineOfKey(text: string, key: string, inner?: string): number {
  const line = lineOfTopKey(text, key);
  if (line < 0 || inner === undefined) return line;
  const below = text.split("\n").slice(line + 1);
  const indent = /^\s+/.exec(below.find((each) => /^\s*[^\s#]/.test(each)) ?? "")?.[0].length ?? 0;
  const end = below.findIndex((each) => /^[^\s#]/.test(each));
  const own = below.slice(0, end < 0 ? below.length : end);
  const index = own.findIndex((each) => /\S/.exec(each)?.index === indent && isKeyLine(each, inner));
  return index < 0 ? line : line + 1 + index;
}

// The usual way to write a key is found without cutting the text into lines.
function lineOfTopKey(text: string, key: string): number {
  const start = text.startsWith(`${key}:`) ? 0 : text.indexOf(`\n${key}:`) + 1;
  if (start === 0 && !text.startsWith(`${key}:`)) return text.split("\n").findIndex((line) => isKeyLine(line, key));
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < start; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function isKeyLine(line: string, key: string): boolean {
  const at = line.indexOf(key);
  return at >= 0 && /^\s*["']?$/.test(line.slice(0, at)) && /^["']?\s*:/.test(line.slice(at + key.length));
}
