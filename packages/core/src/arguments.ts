import { SkillError } from "./error.ts";

/** Instructions with what the caller gave: in its slots, else as `ending`. */
export interface Filled {
  readonly body: string;
  /** Empty where there are slots, or nothing was given. */
  readonly ending: string;
}

/** How slots are filled. */
export interface FillOptions {
  /** Refused where the slots would multiply what was given past so many characters. */
  readonly limit: number;
  /** The arguments that the skill declares: `file` is the slot `$file`. */
  readonly names?: readonly string[] | undefined;
  /** What becomes of slots when nothing was given: blank, or kept as they stand. */
  readonly empty?: "blank" | "keep";
}

// More than anybody types, and few enough to try at every `$`.
const namesMaximum = 50;

/** Fills `$ARGUMENTS` with all that was given and `$name` with a word of it, in one pass. No other `$` is touched. */
export function fillArguments(body: string, given: string, options: FillOptions): Filled {
  const { limit, names = [], empty = "blank" } = options;
  const isBlank = given.trim() === "";
  if (isBlank && empty === "keep") return { body, ending: "" };
  const values = new Map([["ARGUMENTS", given], ...nameWords(slotNames(names), given)]);
  const slot = slotPattern([...values.keys()]);
  let [slots, length] = [0, 0];
  for (const [, name = ""] of body.matchAll(slot)) {
    slots++;
    length += values.get(name)?.length ?? 0;
  }
  if (length > limit) {
    const message = `The arguments are too long: ${given.length} characters, and the skill repeats them ${slots} times.`;
    throw new SkillError("invalid-input", message);
  }
  if (slots > 0) return { body: body.replace(slot, (_, name: string) => values.get(name) ?? ""), ending: "" };
  return { body, ending: isBlank ? "" : `\n\nARGUMENTS: ${given}` };
}

/** What can be a slot: `1` and `a.b` cannot, and `ARGUMENTS` is one already. */
function slotNames(names: readonly string[]): readonly string[] {
  const usable = names.filter((name) => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) && name !== "ARGUMENTS");
  return [...new Set(usable)].slice(0, namesMaximum);
}

/** Not `$ARGUMENTS_FILE`, which is a name of its own; `$file-name` before `$file`. */
function slotPattern(names: readonly string[]): RegExp {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  return new RegExp(`\\$(${longestFirst.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

/** A word for each name, in order; the last takes the rest as it was written. */
function nameWords(names: readonly string[], given: string): readonly (readonly [string, string])[] {
  const words = new WordReader(given);
  return names.map((name, index) => [name, index === names.length - 1 ? words.rest() : words.next()] as const);
}

/** Cuts a text into words as a shell does: quotes and backslashes hold them together, an open quote is a sign. */
class WordReader {
  private readonly text: string;
  private at = 0;
  /** Quotes that were found to have no end: nobody looks for one twice. */
  private readonly open = new Set<string>();

  constructor(text: string) {
    this.text = text;
  }

  /** All that is left. */
  rest(): string {
    return this.text.slice(this.at).trim();
  }

  /** The next word, or nothing. */
  next(): string {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
    let word = "";
    while (this.at < this.text.length && !/\s/.test(this.text[this.at] ?? "")) word += this.piece();
    return word;
  }

  /** A quotation without its quotes, an escaped sign, or one sign. */
  private piece(): string {
    const sign = this.text[this.at] ?? "";
    const end = sign === "'" || sign === '"' ? this.closing(sign) : -1;
    if (end >= 0) {
      const inner = this.text.slice(this.at + 1, end);
      this.at = end + 1;
      return sign === '"' ? inner.replace(/\\(["\\])/g, "$1") : inner;
    }
    const isEscape = sign === "\\" && this.at + 1 < this.text.length;
    this.at += isEscape ? 2 : 1;
    return isEscape ? (this.text[this.at - 1] ?? "") : sign;
  }

  private closing(quote: string): number {
    if (this.open.has(quote)) return -1;
    for (let at = this.at + 1; at < this.text.length; at++) {
      if (this.text[at] === quote) return at;
      if (quote === '"' && this.text[at] === "\\") at++;
    }
    this.open.add(quote);
    return -1;
  }
}
