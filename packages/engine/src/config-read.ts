import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { SkillError } from "@skillholm/core";

// Nobody writes a longer one by hand.
const mostBytes = 256 * 1024;

/**
 * The text of a file that a stranger may have laid out; undefined where there is none. Opened first and judged by what was
 * opened; without blocking, so that a pipe cannot hold anybody up.
 */
export function readBounded(path: string, inside: string | undefined): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if ((code === "ENOENT" || code === "ENOTDIR") && !isLink(path)) return undefined;
    throw wrong(path, undefined, `it cannot be read (${message})`);
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw wrong(path, undefined, "it is no regular file");
    if (stats.size > mostBytes)
      throw wrong(path, undefined, `it has ${stats.size} bytes; at most ${mostBytes} are read`);
    const real = realpathSync(path);
    if (inside !== undefined && !real.startsWith(realpathSync(inside) + sep)) {
      throw wrong(path, undefined, "it is a link that leads out of the project");
    }
    return decode(path, readFileSync(file));
  } finally {
    closeSync(file);
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw wrong(path, undefined, "it is no UTF-8 text: save it in that encoding");
  }
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== "";
  } catch {
    return false;
  }
}

/** A configuration that cannot be taken: which file, which line, what would be right. */
export function wrong(path: string, line: number | undefined, message: string): SkillError {
  const place = line === undefined ? path : `${path}:${line}`;
  const sentence = /[.?]$/.test(message) ? message : `${message}.`;
  return new SkillError("invalid-input", `${place}: ${sentence}`, { path, ...(line === undefined ? {} : { line }) });
}
