import { SkillError } from "./error.ts";

/** Bounds of one scan and one skill. Each can be lowered; the hard ones cannot be raised past `hardLimits`. */
export interface Limits {
  /** How many folders below its root a skill's folder may lie. */
  readonly depth: number;
  /** Folders opened per root. */
  readonly folders: number;
  /** Directory entries seen per root. */
  readonly entries: number;
  /** Folders watched per root; the rest is looked at every few seconds. */
  readonly watches: number;
  /** Listed skills; the rest are `over-limit`. */
  readonly skills: number;
  /** Bytes from the start of the file to the closing `---`. */
  readonly frontmatterBytes: number;
  /** Files listed per skill. */
  readonly files: number;
  /** Bytes of one file that is read whole. */
  readonly fileBytes: number;
  /** Bytes of a `SKILL.md` that count; the rest is cut with a notice. */
  readonly skillBytes: number;
  /** Bytes of a skill's instructions that a model gets; the rest is cut with a notice. */
  readonly bodyBytes: number;
  /** Bytes of a resource that a model gets; the rest is cut with a notice. */
  readonly resourceBytes: number;
  /** Files named at an activation. */
  readonly namedFiles: number;
  /** Bytes that the files named at an activation may have together. */
  readonly namedBytes: number;
}

const defaultLimits: Limits = {
  depth: 6,
  folders: 200_000,
  entries: 2_000_000,
  // A person's programs share what the system has, often 65,536 or 524,288.
  watches: 50_000,
  skills: 100_000,
  frontmatterBytes: 256 * 1024,
  files: 10_000,
  fileBytes: 16 * 1024 * 1024,
  skillBytes: 16 * 1024 * 1024,
  bodyBytes: 200_000,
  resourceBytes: 200_000,
  namedFiles: 100,
  namedBytes: Number.MAX_SAFE_INTEGER,
};

/** What no caller lifts, so that no setting can exhaust memory. */
const hardLimits: Limits = {
  depth: 32,
  folders: 2_000_000,
  entries: 20_000_000,
  watches: 500_000,
  skills: 1_000_000,
  frontmatterBytes: 4 * 1024 * 1024,
  files: 100_000,
  fileBytes: 256 * 1024 * 1024,
  skillBytes: 16 * 1024 * 1024,
  bodyBytes: 2_000_000,
  resourceBytes: 16 * 1024 * 1024,
  namedFiles: 10_000,
  namedBytes: Number.MAX_SAFE_INTEGER,
};

/** The defaults with what the caller changed, within the hard limits. */
export function resolveLimits(change: Partial<Limits> = {}): Limits {
  const limits: Record<keyof Limits, number> = { ...defaultLimits };
  for (const key of Object.keys(limits) as (keyof Limits)[]) {
    const wanted = change[key] ?? limits[key];
    if (!(wanted >= 0))
      throw new SkillError("invalid-input", `The limit "${key}" is ${wanted}; it should be a number from 0 on.`);
    limits[key] = Math.min(wanted, hardLimits[key]);
  }
  return limits;
}
