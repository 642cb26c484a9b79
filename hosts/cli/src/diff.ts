/** Two texts as lines that went (`-`) and came (`+`), with what stands around them. */
export function diffLines(before: string, after: string, around = 1): readonly string[] {
  const marked = markLines(before.split("\n"), after.split("\n"));
  const near = (index: number) =>
    marked.slice(Math.max(0, index - around), index + around + 1).some((line) => !line.startsWith(" "));
  return marked.filter((_, index) => near(index));
}

function markLines(a: readonly string[], b: readonly string[]): readonly string[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

// What differs is short: the plain table of common lines will do.
function compare(a: readonly string[], b: readonly string[]): readonly string[] {
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const value = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      common[i]?.splice(j, 1, value);
    }
  }
  const marked: string[] = [];
  let j = 0;
  for (let i = 0; i < a.length; i++) {
    while (j < b.length && a[i] !== b[j] && at(i, j + 1) >= at(i + 1, j) && at(i, j + 1) > 0) marked.push(`+${b[j++]}`);
    if (a[i] === b[j]) {
      marked.push(` ${a[i]}`);
      j++;
    } else marked.push(`-${a[i]}`);
  }
  return [...marked, ...b.slice(j).map((line) => `+${line}`)];
}
