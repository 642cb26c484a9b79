// Scripts that are written without blanks between words.
const unspaced =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}";
// Common signs belong to some of these scripts too, by their extensions; only letters count.
const unspacedLetter = new RegExp(`^(?=[\\p{L}\\p{N}\\p{M}])[${unspaced}]`, "u");
const wordSign = /^[\p{L}\p{N}\p{M}_]/u;
const korean = /^(?=\p{L})\p{scx=Hangul}/u;

/** Whether a sign is part of a word. */
export function isWordSign(sign: string): boolean {
  return wordSign.test(sign);
}

/** Whether a word may end between two signs: in scripts without blanks anywhere, and before a Korean particle. */
export function endsBetween(last: string, next: string): boolean {
  return startsBetween(last, next) || korean.test(next);
}

/** Whether a word may begin between two signs. */
export function startsBetween(before: string, first: string): boolean {
  if (!isWordSign(before) || !isWordSign(first)) return true;
  return unspacedLetter.test(before) || unspacedLetter.test(first);
}

/** Whether a word of another script is followed by one that needs no blank, as in "PDFを". */
export function changesScript(last: string, next: string): boolean {
  const joins = (sign: string) => unspacedLetter.test(sign) || korean.test(sign);
  return isWordSign(last) && joins(next) && !joins(last);
}

/** The whole sign that ends before a place, or nothing at the start. */
export function signBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const isPair = low >= 0xdc00 && low < 0xe000 && at > 1;
  return text.slice(Math.max(0, isPair ? at - 2 : at - 1), at);
}

/** The whole sign at a place, or nothing at the end. */
export function signAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
