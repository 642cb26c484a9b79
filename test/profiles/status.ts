/** A requirement that no test shows: the issue that brings it, or why we do otherwise. */
export type Status = { readonly issue: number } | { readonly deviates: string };

/** Every requirement without a test in this folder. */
export const statuses: Readonly<Record<string, Status>> = {};
