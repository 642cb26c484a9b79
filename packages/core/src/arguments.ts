// Not `$ARGUMENTS_FILE`, which is a name of its own.
const slot = /\$ARGUMENTS(?![\p{L}\p{N}_])/gu;

/** Instructions with what the caller gave: in place of `$ARGUMENTS`, else at the end. No other `$` is touched. */
export function fillArguments(body: string, given = ""): string {
  const filled = body.replace(slot, () => given);
  const hadSlot = body.search(slot) >= 0;
  return hadSlot || given.trim() === "" ? filled : `${filled}\n\nARGUMENTS: ${given}`;
}
