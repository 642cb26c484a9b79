import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** A page of a list, and how to ask for the next one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

// A page is small enough to come at once; but the official client stops after 64 of them, so that many make larger ones.
const usual = 100;
const largest = 1000;
const mostPages = 60;

/**
 * The items after a cursor, which names the last one that was seen: what comes and goes in between neither repeats
 * nor skips the others. The list is sorted by its keys.
 */
export function takePage<T>(items: readonly T[], keyOf: (item: T) => string, cursor: string | undefined): Page<T> {
  // An empty cursor is none: some clients send it for the first page.
  const start = !cursor ? 0 : firstAfter(items, keyOf, readCursor(cursor));
  const pageSize = Math.max(usual, Math.min(largest, Math.ceil(items.length / mostPages)));
  const page = items.slice(start, start + pageSize);
  const last = page.at(-1);
  const isLast = last === undefined || start + pageSize >= items.length;
  return isLast ? { items: page } : { items: page, nextCursor: writeCursor(keyOf(last)) };
}

/** The order of the lists, whatever the language. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstAfter<T>(items: readonly T[], keyOf: (item: T) => string, key: string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keyOf(items[middle] as T), key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

const prefix = "after:";

function writeCursor(key: string): string {
  return encodeURIComponent(prefix + key);
}

function readCursor(cursor: string): string {
  const text = tryDecode(cursor);
  if (text?.startsWith(prefix)) return text.slice(prefix.length);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is none of this list.");
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
