import type { RE2JS } from "re2js";
import { patternLength, patternsMaximum } from "./check-triggers.ts";
import type { Triggers } from "./fields.ts";

/** Patterns that a message can be held against. */
export interface Pattern {
  /** Whether it is anywhere in the text. */
  test(text: string): boolean;
  /** The first words that it matches. */
  find(text: string): string;
}

/** Makes patterns ready to run; those that cannot be are left out. */
export type Compile = (triggers: Triggers) => readonly Pattern[];

// The engine takes a step for each of these at each sign of a text, at worst. `(a{30}){30}` has more.
const stepsMaximum = 500;
const shownLength = 200;

const compiled = new WeakMap<Triggers, readonly Pattern[]>();
let loading: Promise<Compile> | undefined;

/** Loads the engine, once: RE2, so that no pattern can hang. Not with the program, which can do without it. */
export function loadCompiler(): Promise<Compile> {
  loading ??= import("re2js").then(({ RE2JS }) => {
    return (triggers) => {
      const known = compiled.get(triggers) ?? compile(RE2JS, triggers.patterns);
      compiled.set(triggers, known);
      return known;
    };
  });
  return loading;
}

function compile(engine: typeof RE2JS, patterns: readonly string[]): readonly Pattern[] {
  const short = patterns.slice(0, patternsMaximum).filter((pattern) => pattern.length <= patternLength);
  return [...new Set(short)].flatMap((pattern) => {
    const expression = tryCompile(engine, pattern);
    // What matches nothing at all matches every message.
    if (expression === undefined || expression.programSize() > stepsMaximum || expression.test("")) return [];
    return [
      {
        test: (text: string) => expression.test(text),
        find: (text: string) => String(expression.exec(text)?.[0] ?? "").slice(0, shownLength),
      },
    ];
  });
}

/** Loading has told of most that are wrong; a message is not the place to tell of the rest. */
function tryCompile(engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  try {
    return engine.compile(pattern, engine.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
}
