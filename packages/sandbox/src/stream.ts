import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cutBytes } from "@skillholm/core/dialect";

/** One stream of a script: the end that it writes to, and what it wrote, up to a limit. */
export interface Stream {
  readonly handle: number;
  /** The script has its end now. */
  started(): void;
  /** Takes what is there without waiting; `over` when nobody can write any more. */
  drain(): "open" | "over";
  text(): string;
  isFull(): boolean;
  close(): void;
}

/**
 * Real pipes: what Node makes are sockets, and a script cannot open those by `/dev/stderr`. They are asked from time to time
 * and not waited for, since Node waits for a pipe that it did not make in one of its few threads.
 */
export function openStreams(folder: string, limit: number): readonly [Stream, Stream] {
  const paths = ["out", "err"].map((name) => join(folder, name));
  execFileSync("mkfifo", ["-m", "666", ...paths], { env: { PATH: "/usr/bin:/bin" }, stdio: "ignore" });
  const [out, err] = paths.map((path) => openStream(path, limit)) as [Stream, Stream];
  for (const path of paths) rmSync(path);
  return [out, err];
}

function openStream(path: string, limit: number): Stream {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const handle = openSync(path, constants.O_WRONLY);
  const piece = Buffer.allocUnsafe(64 * 1024);
  const pieces: Buffer[] = [];
  let size = 0;
  const open = new Set([reader, handle]);
  const closeOnce = (each: number) => {
    if (open.delete(each)) closeSync(each);
  };
  const drain = () => {
    for (;;) {
      const count = tryRead(reader, piece);
      if (count === undefined) return "open";
      if (count === 0) return "over";
      // What is over the limit is taken and dropped: its writer is about to be ended.
      if (size <= limit) pieces.push(Buffer.from(piece.subarray(0, count)));
      size += count;
      if (size > 4 * limit) return "open";
    }
  };
  return {
    handle,
    started: () => closeOnce(handle),
    drain,
    text: () => new TextDecoder("utf-8", { ignoreBOM: true }).decode(cutBytes(Buffer.concat(pieces), limit)),
    isFull: () => size > limit,
    close: () => {
      for (const each of [...open]) closeOnce(each);
    },
  };
}

/** Undefined where there is nothing yet. */
function tryRead(handle: number, piece: Buffer): number | undefined {
  try {
    return readSync(handle, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}
