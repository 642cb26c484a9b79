import { sha256 } from "./hash.ts";
import type { GivenText } from "./ledger.ts";

/** How to find a text again without keeping it. */
export async function describeGiven(text: string): Promise<GivenText> {
  const [opening = ""] = text.split("\n", 1);
  return { opening, length: text.length, hash: await sha256(new TextEncoder().encode(text)) };
}

/** Which of some texts the messages still hold, word for word; of whatever SDK the messages are. */
export async function findGiven(messages: unknown, wanted: readonly GivenText[]): Promise<ReadonlySet<GivenText>> {
  const found = new Set<GivenText>();
  for (const text of textsIn(messages)) {
    for (const given of wanted) {
      if (!found.has(given) && (await holds(text, given))) found.add(given);
    }
  }
  return found;
}

async function holds(text: string, given: GivenText): Promise<boolean> {
  if (given.opening === "") return false;
  for (let at = text.indexOf(given.opening); at >= 0; at = text.indexOf(given.opening, at + 1)) {
    const part = text.slice(at, at + given.length);
    if (part.length < given.length) return false;
    if ((await describeGiven(part)).hash === given.hash) return true;
  }
  return false;
}

// Deeper than any SDK nests its messages, and a circle ends.
const deepest = 32;

/** Every text in a value, also in JSON that is written as a text. */
function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (depth > deepest) return;
  if (typeof value === "string") {
    yield value;
    const inner = /^\s*[[{]/.test(value) ? tryParse(value) : undefined;
    if (inner !== undefined) yield* textsIn(inner, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) yield* textsIn(item, depth + 1);
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
