import type { TextRange } from "./code-ranges.ts";
import { nameKey } from "./name.ts";
import type { Skill } from "./skill.ts";
import { changesScript, signAt, signBefore } from "./word-edges.ts";

/** A `$` that calls something: which skills, by what name or path. */
export interface Call extends TextRange {
  readonly skills: readonly Skill[];
  readonly name: string;
}

/** Reads what the `$` at a place calls: `$name`, `$/path/SKILL.md`, `$/path`, or `[$name](path)` around it. */
export function readCall(text: string, at: number, known: KnownSkills): Call | undefined {
  const link = text[at - 1] === "[" ? readLink(text, at, known) : undefined;
  if (link !== undefined) return link;
  const from = at + 1;
  const isPath = /^(?:\/|[A-Za-z]:[\\/])/.test(text.slice(from, from + 3));
  if (isPath && !known.mayBegin(text, from)) return undefined;
  const names = isPath ? pathsAt(text.slice(from, from + known.longestPath + tail)) : namesAt(text, from);
  for (const name of names) {
    const skills = isPath ? known.byPath(name) : known.byName(name);
    if (skills.length > 0) return { skills, name, start: at, end: from + name.length };
  }
  return undefined;
}

// Blanks, brackets and signs that may stand around a path.
const tail = 16;

/** The path of a link decides, whatever its name says: a link to somewhere else calls nothing. */
function readLink(text: string, at: number, known: KnownSkills): Call | undefined {
  const name = runAt(text, at + 1);
  const middle = at + 1 + name.length;
  if (name === "" || !text.startsWith("](", middle)) return undefined;
  const start = middle + 2;
  const target = text.slice(start, start + known.longestPath + tail);
  const [whole, inBrackets, plain = ""] = /^(?:[ \t]*<([^<>\r\n]*)>[ \t]*|([^()\r\n]*))\)/.exec(target) ?? [];
  // Too long for a path of ours: a link all the same, and its name is no call.
  if (whole === undefined) return { skills: [], name, start: at - 1, end: start };
  return { skills: known.byPath((inBrackets ?? plain).trim()), name, start: at - 1, end: start + whole.length };
}

/** What may be a path: up to its file, else to the next blank, else without what ends a sentence. */
function pathsAt(text: string): readonly string[] {
  const [run = ""] = /^\S*/.exec(text) ?? [];
  const [file = run] = /^.*?[\\/]SKILL\.md(?![\w-])/.exec(run) ?? [];
  let end = run.length;
  while (end > 0 && /[^\p{L}\p{N}\\/]/u.test(run[end - 1] ?? "")) end--;
  return [...new Set([file, run, run.slice(0, end)])];
}

// What shells have by themselves, and people write about.
const variables = new Set(["PATH", "HOME", "USER", "SHELL", "PWD", "TMPDIR", "TEMP", "TMP", "LANG", "TERM", "EDITOR"]);

/** What may be a name: all that goes on as a word, else without hyphens at its end, else up to another script. */
function namesAt(text: string, from: number): readonly string[] {
  const run = runAt(text, from);
  let end = run.length;
  while (run[end - 1] === "-") end--;
  const names = [run, run.slice(0, end), run.slice(0, endOfScript(run))];
  return [...new Set(names)].filter((name) => !/^[\p{N}-]*$/u.test(name) && !variables.has(name));
}

function runAt(text: string, from: number): string {
  const run = /[\p{L}\p{N}\p{M}\p{Join_Control}_-]*/uy;
  run.lastIndex = from;
  return run.exec(text)?.[0] ?? "";
}

// No name is longer.
const namesEnd = 200;

/** "$pdf を" is written without the blank too. */
function endOfScript(run: string): number {
  const end = Math.min(run.length, namesEnd);
  for (let at = 1; at < end; at++) if (changesScript(signBefore(run, at), signAt(run, at))) return at;
  return run.length;
}

// The first folder or two of a path.
const beginning = 8;

/** Skills by what a message may call them. */
export class KnownSkills {
  /** The length of the longest of their paths. */
  readonly longestPath: number;
  readonly #names = new Map<string, Skill[]>();
  readonly #paths = new Map<string, Skill>();
  readonly #beginnings = new Set<string>();
  readonly #hasShort: boolean;

  constructor(skills: readonly Skill[]) {
    let longest = 0;
    for (const skill of skills) {
      const key = nameKey(skill.name);
      const same = this.#names.get(key);
      if (same === undefined) this.#names.set(key, [skill]);
      else same.push(skill);
      for (const path of [skill.path, skill.dir]) this.#paths.set(path, skill);
      // What a link leads to may be another skill's own place.
      for (const path of [skill.realPath, skill.realDir]) if (!this.#paths.has(path)) this.#paths.set(path, skill);
      longest = Math.max(longest, skill.path.length, skill.realPath.length);
    }
    this.longestPath = longest;
    const paths = [...this.#paths.keys()];
    for (const path of paths) this.#beginnings.add(path.slice(0, beginning));
    this.#hasShort = paths.some((path) => path.length < beginning);
  }

  /** Whether some path of ours begins as the text does there: most do not, and need not be read on. */
  mayBegin(text: string, from: number): boolean {
    return this.#hasShort || this.#beginnings.has(text.slice(from, from + beginning));
  }

  byName(name: string): readonly Skill[] {
    return this.#names.get(nameKey(name)) ?? [];
  }

  byPath(path: string): readonly Skill[] {
    let end = path.length;
    while (end > 1 && (path[end - 1] === "/" || path[end - 1] === "\\")) end--;
    const skill = this.#paths.get(path.slice(0, end));
    return skill === undefined ? [] : [skill];
  }
}
