import { estimateTokenCount } from "tokenx";

/** What a text costs a model, estimated; errs a few per cent high. */
export function countTokens(text: string): number {
  return estimateTokenCount(text);
}
