/** What one run may take. */
export interface RunLimits {
  readonly timeoutMs: number;
  /** Of each stream. */
  readonly outputBytes: number;
  /** Of all its processes together, and of each by itself. */
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
  /** Of one file. */
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Of the folder for temporary files, which is in memory. */
  readonly tmpBytes: number;
  /** Of all that it leaves. */
  readonly scratchBytes: number;
  readonly scratchFiles: number;
  /** Of the skill's files together, and of what it is given. */
  readonly givenBytes: number;
}

const mebibyte = 1024 * 1024;

export const defaultRunLimits: RunLimits = {
  timeoutMs: 60_000,
  outputBytes: mebibyte,
  memoryBytes: 1024 * mebibyte,
  processes: 128,
  fileBytes: 64 * mebibyte,
  openFiles: 512,
  tmpBytes: 256 * mebibyte,
  scratchBytes: 64 * mebibyte,
  scratchFiles: 1000,
  givenBytes: 512 * mebibyte,
};

/** The longest that anybody may ask for. */
export const longestTimeoutMs = 600_000;
