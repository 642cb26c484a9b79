import { proseLines } from "@skillholm/core/dialect";

/** A heading of a Markdown text. */
export interface Heading {
  /** 1 to 6. */
  readonly depth: number;
  readonly title: string;
}

// What is longer is no title, and is not read to its end.
const longestLine = 200;

/** The headings of a Markdown text, outside of its code blocks. */
export function parseHeadings(markdown: string): readonly Heading[] {
  const found: Heading[] = [];
  let above = { text: "", line: 0 };
  for (const { text, line } of proseLines(markdown)) {
    const now = text.slice(0, longestLine).trimEnd();
    const heading = parseHeading(now, above.line === line - 1 ? above.text : "");
    if (heading !== undefined) found.push(heading);
    above = { text: heading === undefined ? now : "", line };
  }
  return found;
}

/** `## A title`, or a line of `=` or `-` below one. */
function parseHeading(line: string, above: string): Heading | undefined {
  const [, underline = ""] = /^ {0,3}(=+|-+)$/.exec(line) ?? [];
  if (underline !== "") {
    return above.trim() === "" ? undefined : { depth: underline.startsWith("=") ? 1 : 2, title: above.trim() };
  }
  const [, hashes = "", rest = ""] = /^ {0,3}(#{1,6})[ \t](.*)/.exec(line) ?? [];
  let end = rest.length;
  while (end > 0 && "# \t".includes(rest[end - 1] ?? "")) end--;
  const title = rest.slice(0, end).trim();
  return title === "" ? undefined : { depth: hashes.length, title };
}
