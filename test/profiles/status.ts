/** A requirement that no test shows: the issue that brings it, or why we do otherwise. */
export type Status = { readonly issue: number } | { readonly deviates: string };

/** Every requirement without a test in this folder. */
export const statuses: Readonly<Record<string, Status>> = {
  "S2-4": { issue: 8 },
  "S2-6": { issue: 8 },
  "S2-45": { issue: 8 },
  "S2-50": { issue: 8 },
  "S2-51": { issue: 8 },
  "S2-52": { issue: 8 },
  "S2-53": { issue: 8 },
};
