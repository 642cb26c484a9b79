/** A line of prose with its code spans as blanks of the same length. */
export interface MaskedLine {
  readonly text: string;
  /** What goes on past the line: `comment` one that does not end here, `doubt` a tag or code that may reach further. */
  readonly open: "nothing" | "comment" | "doubt";
}

const tokens = /\\.|`+|<!--|<[a-z/][^<>"'`]*>|<[a-z/?!]/gis;

/** Blanks out code between backticks, up to the first place on the line that leaves a doubt. */
export function maskSpans(line: string): MaskedLine {
  let text = "";
  let done = 0;
  const rest = (open: MaskedLine["open"]): MaskedLine => ({ text: text + line.slice(text.length), open });
  for (const { 0: token, index } of line.matchAll(tokens)) {
    if (index < done || token.startsWith("\\") || token.endsWith(">")) continue;
    const isCode = token.startsWith("`");
    done = isCode ? endOfRun(line, index + token.length, token.length) : endOfComment(line, token, index);
    if (done < 0) return rest(token === "<!--" ? "comment" : "doubt");
    // In a table a bar ends the cell, code or not; in a comment not every reader lets backticks rest.
    if (line.slice(index + token.length, done).includes(isCode ? "|" : "`")) return rest("doubt");
    if (isCode) text += line.slice(text.length, index) + " ".repeat(done - index);
  }
  return rest("nothing");
}

/** The end of the next run of exactly so many backticks, or -1. */
function endOfRun(line: string, from: number, length: number): number {
  for (let at = line.indexOf("`", from), end = at; at >= 0; at = line.indexOf("`", end)) {
    end = at;
    while (line[end] === "`") end++;
    if (end - at === length) return end;
  }
  return -1;
}

function endOfComment(line: string, token: string, index: number): number {
  // `<!-->` is a whole comment.
  const end = token === "<!--" ? line.indexOf("-->", index + 2) : -1;
  return end < 0 ? -1 : end + 3;
}
