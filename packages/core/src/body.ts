import { locateFrontmatter } from "./frontmatter.ts";

/** The instructions: a `SKILL.md` without its frontmatter. */
export function bodyOf(bytes: Uint8Array): string {
  const span = locateFrontmatter(bytes, bytes.length, true);
  const start = span.status === "closed" ? span.body : 0;
  return new TextDecoder().decode(bytes.subarray(start)).trim();
}

/** The first bytes of a text, never half a character, and how many were left out. */
export function cutBytes(text: string, limit: number): { readonly text: string; readonly removed: number } {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return { text, removed: 0 };
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return { text: new TextDecoder().decode(bytes.subarray(0, end)), removed: bytes.length - end };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
