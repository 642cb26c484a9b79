import { maskSpans } from "./code-spans.ts";

/** A line of a Markdown text that is no code. */
export interface ProseLine {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** The lines of a Markdown text outside of its code blocks. */
export function* proseLines(markdown: string): Generator<ProseLine> {
  const reader = new BlockReader();
  let line = 0;
  for (const text of splitLines(markdown)) {
    line++;
    if (!reader.read(text).isCode) yield { text, line };
  }
}

/**
 * The same text with blanks for code, blocks and spans. Only what every reading of the text takes for code: where a
 * list, a tag or a comment leaves a doubt, nothing is blanked.
 */
export function maskCode(markdown: string): string {
  const reader = new BlockReader();
  return splitLines(markdown)
    .map((text) => reader.read(text).masked)
    .join("\n");
}

// A carriage return alone ends a line too.
function splitLines(markdown: string): readonly string[] {
  return markdown.replace(/\r(?!\n)/g, "\n").split("\n");
}

interface ReadLine {
  readonly isCode: boolean;
  readonly masked: string;
}

interface Fence {
  readonly run: string;
  readonly column: number;
  /** Whether what is inside can be nothing but code. */
  readonly isSure: boolean;
}

/** HTML that goes on: to a blank line, or to the line on which `end` stands. */
interface Html {
  readonly end?: RegExp;
  /** Whether it can be nothing but HTML. */
  readonly isSure: boolean;
}

const marker = /(?:[-*+]|\d{1,9}[.)])(?=[ \t\r]|$)/.source;
const listLead = new RegExp(`^(?:[ \\t]|${marker})*`);
const anyLead = new RegExp(`^(?:[ \\t>]|${marker})*`);
// A footnote and a definition hold indented text, as an item of a list does.
const item = new RegExp(`^[ \\t]*(?:${marker}|\\[\\^|:[ \\t])`);
const tagAlone = /^<(?:\/[a-z][a-z0-9-]*|[a-z][a-z0-9-]*(?: [a-z][a-z-]*="[^"<>]*")*)>[ \t\r]*$/i;
const rawTag = /^<(?:pre|script|style|textarea)(?=[\s>]|$)/i;
const rawEnd = /<\/(?:pre|script|style|textarea)>/i;
const commentEnd = /-->/;

/** Reads a Markdown text line by line. Text that may be read in two ways ends what is sure, for the rest of it. */
class BlockReader {
  private isSure = true;
  private fence: Fence | undefined;
  private html: Html | undefined;
  /** Between the `---` of a frontmatter, or what may be one. */
  private isFront = false;
  private inList = false;
  private inCode = false;
  /** Whether backticks in this paragraph may belong to those of a line above. */
  private isOpen = false;
  private afterBlank = true;
  private isFirst = true;

  read(text: string): ReadLine {
    const isBlank = /^[ \t\r]*$/.test(text);
    const [blanks = ""] = /^[ \t]*/.exec(text) ?? [];
    const column = width(blanks);
    const { fence } = this;
    const result =
      fence === undefined ? this.readOpen(text, isBlank, column) : this.readFenced(fence, text, isBlank, column);
    this.afterBlank = isBlank;
    this.isFirst = this.isFirst && isBlank;
    return result;
  }

  /** A line in a fenced block, or the one that closes it. */
  private readFenced(fence: Fence, text: string, isBlank: boolean, column: number): ReadLine {
    const [, run = ""] = /^[ \t]*(`{3,}|~{3,})[ \t\r]*$/.exec(text) ?? [];
    // A block in a list ends with its item, and nobody can tell by an indented fence alone that it is in one.
    if (!isBlank && fence.column > 0 && column < fence.column) this.isSure = false;
    const result = code(text, fence.isSure && this.isSure);
    if (!run.startsWith(fence.run) || column > fence.column + 3) return result;
    if (fence.column > 0 && column !== fence.column) this.isSure = false;
    this.fence = undefined;
    this.isOpen = !fence.isSure;
    return result;
  }

  private readOpen(text: string, isBlank: boolean, column: number): ReadLine {
    const isRule = /^-{3,}[ \t\r]*$/.test(text);
    if (isRule && (this.isFirst || this.isFront)) this.isFront = this.isFirst;
    if (isBlank || isRule) this.isOpen = false;
    if (item.test(text)) this.inList = true;
    else if (column === 0 && !isBlank && this.afterBlank) this.inList = false;
    const start = text.replace(anyLead, "");
    // What reaches past blank lines, and ends in a way of its own.
    if (/^<(?:\?|!(?!--))/.test(start) || (this.html !== undefined && rawTag.test(start))) this.isSure = false;
    if (this.html !== undefined && this.readHtml(this.html, text, isBlank)) return prose(text);
    if (isBlank) return prose(text);
    this.inCode = this.isIndented(column);
    if (this.inCode) return code(text, true);
    if (this.opensFence(text)) return code(text, false);
    return this.readProse(text, start);
  }

  /** Whether a line belongs to HTML that goes on. */
  private readHtml(html: Html, text: string, isBlank: boolean): boolean {
    if (html.end !== undefined) {
      const isEnd = html.end.test(text);
      if (isEnd && opensComment(text)) this.isSure = false;
      if (isEnd || (isBlank && !html.isSure)) this.html = undefined;
      this.isOpen = true;
      return true;
    }
    const isFence = fenceOf(text) !== undefined && !html.isSure;
    if (isFence || (!isBlank && opensComment(text))) this.isSure = false;
    // What is not HTML for certain is read as Markdown.
    if (isBlank || isFence) this.html = undefined;
    return !isFence;
  }

  private isIndented(column: number): boolean {
    if (column < 4 || this.inList || this.isFront) return false;
    return this.isSure && (this.afterBlank || this.inCode);
  }

  private opensFence(text: string): boolean {
    const run = fenceOf(text);
    if (run === undefined) return false;
    const [lead = ""] = listLead.exec(text) ?? [];
    const column = width(lead);
    if (this.isFront) this.isSure = false;
    // Deep in the text, or behind what may be no item, it could go on with a paragraph; not every number begins a list.
    const isSure = (this.afterBlank && !/\d/.test(lead)) || (column < 4 && lead.trim() === "");
    this.fence = { run, column, isSure };
    return true;
  }

  private readProse(text: string, start: string): ReadLine {
    const { text: masked, open } = maskSpans(text);
    // Behind the fence of a block in a quotation stands what nobody sees.
    if (start.startsWith("~~~")) return prose(text);
    if (/^<[a-z/?!]/i.test(start)) {
      this.openHtml(start, start === text && !this.isFront);
      return prose(text);
    }
    const isKnown = this.isSure && !this.isOpen && !this.isFront;
    if (open === "comment") this.openUntil(commentEnd, false);
    if (open !== "nothing") this.isOpen = true;
    return { isCode: false, masked: isKnown ? masked : text };
  }

  private openHtml(start: string, isFirstColumn: boolean): void {
    const isComment = start.startsWith("<!--");
    const isWhole = isComment && start.indexOf("-->", 2) >= 0;
    this.isOpen = true;
    if (isComment && !isWhole) this.openUntil(commentEnd, isFirstColumn);
    else if (opensComment(start)) this.isSure = false;
    else if (rawTag.test(start) && !rawEnd.test(start)) this.openUntil(rawEnd, isFirstColumn);
    else if (!isComment) this.html = { isSure: isFirstColumn && this.afterBlank && tagAlone.test(start) };
  }

  /** In a list or within a line nobody can tell where it ends. */
  private openUntil(end: RegExp, isSure: boolean): void {
    this.html = { end, isSure };
    if (!isSure) this.isSure = false;
  }
}

function prose(text: string): ReadLine {
  return { isCode: false, masked: text };
}

function code(text: string, isSure: boolean): ReadLine {
  return { isCode: true, masked: isSure ? " ".repeat(text.length) : text };
}

/** The backticks or tildes with which a line opens a block, be it in a list. */
function fenceOf(text: string): string | undefined {
  const match = /^(?:(`{3,})[^`]*$|(~{3,}))/.exec(text.replace(listLead, ""));
  return match?.[1] ?? match?.[2];
}

/** Whether the last comment of a line does not end on it. */
function opensComment(text: string): boolean {
  return text.lastIndexOf("<!--") > text.lastIndexOf("-->");
}

/** Columns of leading text, with tab stops at every fourth. */
function width(text: string): number {
  let column = 0;
  for (const char of text) column += char === "\t" ? 4 - (column % 4) : 1;
  return column;
}
