import { locateFrontmatter } from "./frontmatter.ts";
import { countTokens } from "./tokens.ts";

/** The instructions: a `SKILL.md` without its frontmatter, also where the limit cuts within that. */
export function bodyOf(bytes: Uint8Array, limit = bytes.length): string {
  const span = locateFrontmatter(bytes, bytes.length, true);
  const start = span.status === "closed" ? span.body : 0;
  return new TextDecoder().decode(cutBytes(bytes, limit).subarray(start)).trim();
}

/** The first bytes, never half a character. */
export function cutBytes(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}

/** The first bytes of a text, and how many were left out. */
export function cutText(text: string, limit: number): { readonly text: string; readonly removed: number } {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return { text, removed: 0 };
  const kept = cutBytes(bytes, limit);
  return { text: new TextDecoder().decode(kept), removed: bytes.length - kept.length };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

/** The first lines of a text that cost no more than so many tokens, else as much of the first as fits; and what was left out. */
export function cutTokens(text: string, limit: number): { readonly text: string; readonly removed: number } {
  if (limit === Number.POSITIVE_INFINITY || countTokens(text) <= limit) return { text, removed: 0 };
  let [low, high] = [0, text.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle;
  }
  const line = text.lastIndexOf("\n", low);
  // At the end of a line, unless that line is nearly all there is.
  const end = line > low / 2 ? line : wholeCharacters(text, low);
  return { text: text.slice(0, end), removed: new TextEncoder().encode(text.slice(end)).length };
}

function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}
