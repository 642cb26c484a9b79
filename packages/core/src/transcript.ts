import { sha256 } from "./hash.ts";
import type { GivenText } from "./ledger.ts";

/** How to find a text again without keeping it. */
export async function describeGiven(text: string): Promise<GivenText> {
  const [line = ""] = text.split("\n", 1);
  const { length } = text;
  const hash = await sha256(new TextEncoder().encode(text));
  return { opening: line.slice(0, openingLength), length, start: checksum(text.slice(0, startLength)), hash };
}

// Enough to look for; not enough to be the text.
const openingLength = 64;
// What is compared before the whole is hashed: a message may be full of openings.
const startLength = 512;

/** A cheap sum that tells texts apart where nobody means harm (FNV-1a). */
export function checksum(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
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
  let tries = 0;
  for (let at = text.indexOf(given.opening); at >= 0; at = text.indexOf(given.opening, at + 1)) {
    if (text.length - at < given.length || ++tries > mostTries) return false;
    if (checksum(text.slice(at, at + Math.min(startLength, given.length))) !== given.start) continue;
    const part = text.slice(at, at + given.length);
    if ((await sha256(new TextEncoder().encode(part))) === given.hash) return true;
  }
  return false;
}

// A text with more openings than this was made to be slow; the body comes again, which is safe.
const mostTries = 2000;

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
