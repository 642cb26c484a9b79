/** A requirement that no test shows: the issue that brings it, or why we do otherwise. */
export type Status = { readonly issue: number } | { readonly deviates: string };

const borders = "the borders of that project's packages map to ours: test/architecture.test.ts checks those";

/** Every requirement without a test in this folder. */
export const statuses: Readonly<Record<string, Status>> = {
  "S0-4": { issue: 10 },
  "S0-10": { issue: 10 },
  "S0-11": { issue: 11 },
  "S0-12": { issue: 10 },
  "S0-70": { issue: 10 },
  "S0-76": { issue: 10 },
  "S0-79": { issue: 10 },
  "S0-97": { issue: 10 },
  "S0-98": { issue: 10 },
  "S0-99": { issue: 10 },
  "S0-102": { issue: 11 },
  "S0-103": { issue: 11 },
  "S0-104": { issue: 11 },
  "S0-105": { issue: 11 },
  "S0-106": { issue: 11 },
  "S0-110": { issue: 8 },
  "S0-111": { issue: 8 },
  "S0-112": { issue: 8 },
  "S0-117": { issue: 8 },
  "S0-118": { issue: 8 },
  "S0-124": { issue: 8 },
  "S0-129": { issue: 10 },
  "S0-130": { issue: 11 },
  "S0-132": { issue: 9 },
  // How a picker looks is free; what it does comes with it.
  "S1-8": { issue: 12 },
  "S1-61": { issue: 10 },
  "S1-101": { deviates: borders },
  "S1-102": { deviates: borders },
  "S1-103": { deviates: borders },
  "S1-104": { deviates: borders },
  "S1-116": { issue: 12 },
  "S1-117": { issue: 12 },
  "S1-118": { issue: 12 },
  "S2-4": { issue: 8 },
  "S2-6": { issue: 8 },
  "S2-45": { issue: 8 },
  "S2-50": { issue: 8 },
  "S2-51": { issue: 8 },
  "S2-52": { issue: 8 },
  "S2-53": { issue: 8 },
};
