/** A line of a Markdown text that is no code. */
export interface ProseLine {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** The lines of a Markdown text outside of its fenced code blocks. */
export function* proseLines(markdown: string): Generator<ProseLine> {
  let open = "";
  let line = 0;
  for (const text of markdown.split("\n")) {
    line++;
    const [, fence = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(text) ?? [];
    if (fence === "" && open === "") yield { text, line };
    // A block ends with a fence of its own kind, at least as long.
    if (fence !== "") open = open === "" ? fence : fence.startsWith(open) ? "" : open;
  }
}
