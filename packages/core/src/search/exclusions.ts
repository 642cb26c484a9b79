/** A description, taken apart: what the skill is for, and what it says that it is not for. */
export interface Said {
  readonly uses: string;
  readonly exclusions: string;
}

// From here to the end of its sentence a description says what it is not for. "For X, see Y" means that X is Y's.
const mark =
  /\b(?:do(?:es)?|should|must|is|are|can)(?: not|n['’]?t) (?:be )?(?:use|used|using|invoke|invoked|trigger|triggered|activate|apply|load|meant|intended|suitable|for|cover|handle)\b|\bnot (?:for|intended|suitable|meant|to be used|applicable|when|if)\b|\bnever (?:use|invoke|trigger|for)\b|\b(?:avoid|skip)(?: using| this skill)?(?: for| when| if)\b|\bout of scope\b|\bdistinct from\b|不(?:要用|适用|用于|适合)|请勿|には使(?:わ|用し)ない/i;
const elsewhere = /^for [^.;]{2,100}?,? (?:see|use|prefer|try|go to)\b/i;

/** Tells what a description claims from what it excludes; both are searched, with opposite signs. */
export function splitExclusions(description: string): Said {
  if (!/\bnot\b|n['’]t\b|never|avoid|skip|scope|distinct|\bfor\b|不|请勿|使/i.test(description)) {
    return { uses: description, exclusions: "" };
  }
  const uses: string[] = [];
  const exclusions: string[] = [];
  for (const sentence of description.split(/(?<=[.!?;])\s+|(?<=[。；！？])|\n+/)) {
    const found = elsewhere.test(sentence) ? { index: 0, length: 0 } : find(sentence);
    if (found === undefined) uses.push(sentence);
    else {
      uses.push(sentence.slice(0, found.index));
      exclusions.push(sentence.slice(found.index + found.length));
    }
  }
  return { uses: uses.join("\n"), exclusions: exclusions.join("\n") };
}

function find(sentence: string): { readonly index: number; readonly length: number } | undefined {
  const match = mark.exec(sentence);
  return match === null ? undefined : { index: match.index, length: match[0].length };
}
