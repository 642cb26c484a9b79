import { closestNames } from "./lookup.ts";
import { proseLines } from "./prose.ts";
import { countTokens } from "./tokens.ts";

/** A heading of a Markdown text and all that stands below it, deeper headings included. */
export interface Section {
  readonly title: string;
  /** 1 to 6. */
  readonly level: number;
  /** The heading's line, 1-based in the body. */
  readonly from: number;
  /** The last line, inclusive. */
  readonly to: number;
  /** What the section costs a model. */
  readonly tokens: number;
}

/** A section, or where none has the title those that were most likely meant. */
export interface FoundSection {
  readonly section: Section | undefined;
  readonly closest: readonly string[];
}

// A table of contents that is longer helps nobody; a title is a line, not a page.
const sectionsMaximum = 1000;
const titleMaximum = 200;
const closestMaximum = 10;

/** The sections of a body by its headings outside code, in the order of the text. */
export function outlineOf(body: string): readonly Section[] {
  const lines = linesOf(body);
  // At most six sections hold the same line, one of each level, so that counting stays linear.
  return spansOf(body, lines.length).map((span) => {
    return { ...span, tokens: countTokens(lines.slice(span.from - 1, span.to).join("\n")) };
  });
}

/** The text of a section, heading included; undefined where no title fits. */
export function sectionOf(body: string, title: string): string | undefined {
  const lines = linesOf(body);
  const span = match(spansOf(body, lines.length), title);
  return span === undefined ? undefined : lines.slice(span.from - 1, span.to).join("\n");
}

/** The section of a title: exact, else in any case, else the only one that begins so. */
export function findSection(body: string, title: string): FoundSection {
  const sections = outlineOf(body);
  const section = match(sections, title);
  if (section !== undefined) return { section, closest: [] };
  const titles = [...new Set(sections.map((each) => each.title))];
  const near = closestNames(titles, wantedOf(title));
  return { section, closest: near.length > 0 ? near : titles.slice(0, closestMaximum) };
}

type Span = Omit<Section, "tokens">;

/** Of several sections with one title the first is meant. */
function match<Each extends Span>(sections: readonly Each[], title: string): Each | undefined {
  const wanted = wantedOf(title);
  if (wanted === "") return undefined;
  const folded = wanted.toLowerCase();
  const same = sections.find((each) => each.title === wanted);
  const alike = same ?? sections.find((each) => each.title.toLowerCase() === folded);
  if (alike !== undefined) return alike;
  const begun = sections.filter((each) => each.title.toLowerCase().startsWith(folded));
  return new Set(begun.map((each) => each.title)).size === 1 ? begun[0] : undefined;
}

/** A model may write the signs of the heading too. */
function wantedOf(title: string): string {
  const start = title.slice(0, titleMaximum + 10).trim();
  return cleanTitle(start.replace(/^#{1,6}(?=\s)/, ""));
}

function cleanTitle(text: string): string {
  return text.trim().slice(0, titleMaximum).split(/\s+/).join(" ").trim();
}

// The lines of `proseLines`: a carriage return alone ends one too.
function linesOf(body: string): readonly string[] {
  return body.split(/\r\n|\r|\n/);
}

interface Heading {
  readonly title: string;
  readonly level: number;
  readonly from: number;
}

/** Each heading reaches to the line before the next one of its level or above. */
function spansOf(body: string, lastLine: number): readonly Span[] {
  const headings = headingsOf(body);
  // By level, the first line of the nearest heading behind that is of this level or above.
  const next = Array<number>(7).fill(lastLine + 1);
  const spans = headings.toReversed().map((heading) => {
    const to = (next[heading.level] ?? 1) - 1;
    next.fill(heading.from, heading.level);
    return { ...heading, to };
  });
  return spans.toReversed().slice(0, sectionsMaximum);
}

interface Paragraph {
  readonly from: number;
  readonly texts: string[];
}

function headingsOf(body: string): readonly Heading[] {
  const headings: Heading[] = [];
  // What a line of `===` or `---` would make a heading; "other" goes on to a blank line, and is never one.
  let above: Paragraph | "other" | undefined;
  let last = 0;
  for (const { text, line } of proseLines(body)) {
    if (line !== last + 1 || text.trim() === "") above = undefined;
    last = line;
    const atx = /^ {0,3}(#{1,6})(?=[ \t\r]|$)/.exec(text);
    const under = /^ {0,3}(?:(=+)|-+)[ \t\r]*$/.exec(text);
    if (atx?.[1] !== undefined) {
      headings.push({ title: atxTitle(text.slice(atx[0].length)), level: atx[1].length, from: line });
      above = undefined;
    } else if (under !== null && typeof above === "object") {
      headings.push({ title: cleanTitle(above.texts.join(" ")), level: under[1] ? 1 : 2, from: above.from });
      above = undefined;
    } else if (text.trim() !== "") above = goOn(above, text, line);
  }
  return headings;
}

// Lists, quotations, tables, HTML and rules are no paragraphs.
const other = /^ {0,3}(?:[-*+](?:[ \t\r]|$)|\d{1,9}[.)](?:[ \t\r]|$)|[>|<])|^[-_* \t\r]+$/;

function goOn(above: Paragraph | "other" | undefined, text: string, line: number): Paragraph | "other" {
  if (above === "other" || other.test(text)) return "other";
  const { from, texts } = above ?? { from: line, texts: [] };
  // Of more lines than these nothing would be left in the title.
  if (texts.length < titleMaximum) texts.push(text.slice(0, titleMaximum));
  return { from, texts };
}

/** Without the signs that may close a heading. */
function atxTitle(rest: string): string {
  const text = rest.trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return cleanTitle(end === 0 || /\s/.test(text[end - 1] ?? "") ? text.slice(0, end) : text);
}
