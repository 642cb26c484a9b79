/** A piece of a text, as places in it. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The code in a message that a person wrote: between backticks, and in fenced blocks. Not for judging what a file hides,
 * see `maskCode`: in doubt this takes text for code. Indented text is text, people paste it. In order, in linear time.
 */
export function codeRanges(text: string): readonly TextRange[] {
  if (!/`|~~~/.test(text)) return [];
  const ranges: TextRange[] = [];
  let fence: { readonly run: string; readonly start: number } | undefined;
  let paragraph = 0;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const run = fenceOf(line);
    if (fence !== undefined) {
      if (!closes(fence.run, run, line)) continue;
      ranges.push({ start: fence.start, end });
      fence = undefined;
      paragraph = end;
    } else if (run !== "" || line.trim() === "") {
      ranges.push(...spansIn(text, paragraph, start));
      if (run !== "") fence = { run, start };
      paragraph = end;
    }
  }
  // A block that nobody closed goes on to the end.
  const last = fence === undefined ? spansIn(text, paragraph, text.length) : [{ start: fence.start, end: text.length }];
  return [...ranges, ...last];
}

function* linesOf(text: string): Generator<TextRange> {
  let start = 0;
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\r|\n/g)) {
    yield { start, end: index };
    start = index + lineEnd.length;
  }
  yield { start, end: text.length };
}

/** The backticks or tildes of a line that begins with three, be it in a list or a quotation. */
function fenceOf(line: string): string {
  const match = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:(`{3,})[^`]*$|(~{3,}))/.exec(line);
  return match?.[1] ?? match?.[2] ?? "";
}

function closes(open: string, run: string, line: string): boolean {
  return run.startsWith(open) && /^[ \t>]*[`~]+[ \t]*$/.test(line);
}

interface Run extends TextRange {
  /** How many of its backticks can open: the first does not after a backslash. */
  readonly opening: number;
}

/** The code spans of a paragraph: a run of backticks to the next of the same length. */
function spansIn(text: string, from: number, to: number): readonly TextRange[] {
  const runs = [...text.slice(from, to).matchAll(/(\\*)(`+)/g)].map(
    ({ index, 1: slashes = "", 2: ticks = "" }): Run => {
      const start = from + index + slashes.length;
      return { start, end: start + ticks.length, opening: ticks.length - (slashes.length % 2) };
    },
  );
  // Backwards, so that each run knows at once where the next of its length is.
  const nextOf = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index] as Run;
    closing[index] = nextOf.get(run.opening) ?? -1;
    nextOf.set(run.end - run.start, index);
  }
  const spans: TextRange[] = [];
  for (let index = 0; index < runs.length; index++) {
    const close = closing[index] ?? -1;
    if (close < 0) continue;
    const [run, last] = [runs[index] as Run, runs[close] as Run];
    spans.push({ start: run.end - run.opening, end: last.end });
    index = close;
  }
  return spans;
}
