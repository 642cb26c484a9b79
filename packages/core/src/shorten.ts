/** Where a description may be cut, in characters: at the ends of sentences, else of clauses, else of words; shortest first. */
export function findCuts(whole: string, longest: number): readonly number[] {
  // Nobody needs the ends of what is not shown.
  const description = whole.slice(0, longest + 2);
  const sentences = endsOf(description, sentenceEnd).filter((end) => !isAbbreviation(description, end));
  const [first = description.length] = sentences;
  const clauses = endsOf(description.slice(0, first), clauseEnd);
  const cuts = [...clauses, ...sentences].filter((end) => end >= shortest && end < whole.length);
  const within = cuts.filter((end) => end <= longest);
  return within.length > 0 ? within : wordEnds(description, longest);
}

/** The description up to there, with a sign that there is more. */
export function cutAt(description: string, end: number): string {
  return `${description.slice(0, end).replace(/[\s,;:—–-]+$/u, "")}…`;
}

// Less says nothing.
const shortest = 12;
const sentenceEnd = /[.!?](?=\s)|[。！？]|\n/g;
const clauseEnd = /[,;:](?=\s)|\s[—–-](?=\s)|[，；：、]/g;

function endsOf(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => index + found.length);
}

function isAbbreviation(text: string, end: number): boolean {
  return /(?:^|[\s(])(?:\p{L}|e\.g|i\.e|etc|vs|approx|incl)\.$/iu.test(text.slice(Math.max(0, end - 8), end));
}

/** Blanks at doubling distances: text without any sign that ends something. */
function wordEnds(text: string, longest: number): readonly number[] {
  const ends: number[] = [];
  for (let length = 60; length < text.length && length <= longest; length *= 2) {
    const end = text.lastIndexOf(" ", length);
    if (end > (ends.at(-1) ?? shortest)) ends.push(end);
  }
  const last = text.lastIndexOf(" ", longest);
  if (text.length > longest && last > (ends.at(-1) ?? shortest)) ends.push(last);
  return ends;
}
