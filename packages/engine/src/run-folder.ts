import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { createFsSource, SkillError } from "@skillholm/core";
import type { HostFiles } from "@skillholm/profiles";

// Bounded like a resource: what is larger is nothing to put into a conversation.
const mostBytes = 2_000_000;

/** The files under the folder that a program runs in, for a tool that serves any; never our own, keys or histories. */
export function openRunFolder(folder: string, extensions: readonly string[], closed: readonly string[]): HostFiles {
  const source = createFsSource();
  const locate = (path: string, from = folder): string | undefined => {
    const base = tryRealpath(from) ?? from;
    const asked = resolve(base, path);
    const real = tryRealpath(asked);
    // A link may lead to what is not served under its own name, and the closed folders may lie behind links too.
    const shut = closed.flatMap((each) => [each, tryRealpath(each) ?? each]);
    for (const each of [asked, real ?? asked]) {
      if (isPrivate(relativeTo(base, each)) || isClosed(each, shut)) throw notServed(path);
    }
    return real?.startsWith(base + sep) ? real : undefined;
  };
  return {
    extensions,
    locate,
    read: async (path) => {
      const base = realpathSync(folder);
      const place = { path: base, dir: base, realPath: base, realDir: base };
      const root = { path: base, scope: "project", trusted: true, writable: false, links: "inside" } as const;
      locate(path);
      try {
        const { bytes, size } = await source.readStart({ root, ...place }, path, mostBytes);
        // Once more, should a link have been turned around meanwhile.
        locate(path);
        if (size <= mostBytes) return bytes;
        throw new SkillError("resource-too-large", `"${path}" has ${size} bytes; at most ${mostBytes} are read.`);
      } catch (error) {
        throw toPlain(error, path);
      }
    },
  };
}

function tryRealpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function relativeTo(base: string, path: string): string {
  return path.startsWith(base + sep) ? path.slice(base.length + 1) : path;
}

/** Keys and histories, wherever they lie. */
function isPrivate(path: string): boolean {
  return path.split(/[\\/]/).some((part) => {
    const name = plainName(part);
    return name === ".git" || name.startsWith(".env") || name === "skillholm.toml" || name === "skillholm.lock";
  });
}

/** What file systems that are not to the letter take a name for: any case, no invisible signs, nothing at its end. */
function plainName(part: string): string {
  const name = fold(part.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
  const plain = name.replace(/:.*$/s, "").replace(/[. ]+$/, "");
  return plain === "git~1" ? ".git" : plain;
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function isClosed(path: string, closed: readonly string[]): boolean {
  const folded = fold(path);
  return closed.some((folder) => folded === fold(folder) || folded.startsWith(fold(folder) + sep));
}

function notServed(path: string): SkillError {
  return new SkillError("permission-denied", `"${path}" is not served.`);
}

/** The source speaks of a skill, and there is none here. */
function toPlain(error: unknown, path: string): unknown {
  if (!(error instanceof SkillError)) return error;
  if (error.code === "resource-not-found") return new SkillError(error.code, `there is no file "${path}".`);
  if (error.code === "path-outside-skill")
    return new SkillError(error.code, `"${path}" leads out of the run directory.`);
  return error;
}
