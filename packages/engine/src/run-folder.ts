import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { createFsSource, SkillError } from "@skillholm/core";
import type { HostFiles } from "@skillholm/profiles";

// Bounded like a resource: what is larger is nothing to put into a conversation.
const mostBytes = 2_000_000;

/** The files under the folder that a program runs in, for a tool that serves any; never our own, keys or histories. */
export function openRunFolder(folder: string, extensions: readonly string[], closed: readonly string[]): HostFiles {
  const source = createFsSource();
  return {
    extensions,
    read: async (path) => {
      const base = realpathSync(folder);
      const place = { path: base, dir: base, realPath: base, realDir: base };
      const root = { path: base, scope: "project", trusted: true, writable: false, links: "inside" } as const;
      if (isPrivate(path) || isClosed(join(base, path), closed)) throw notServed(path);
      try {
        const { bytes, size } = await source.readStart({ root, ...place }, path, mostBytes);
        // A link inside the folder may lead to what is not served under its own name.
        const real = realpathSync(join(base, path));
        if (isPrivate(real.slice(base.length + 1)) || isClosed(real, closed)) throw notServed(path);
        if (size <= mostBytes) return bytes;
        throw new SkillError("resource-too-large", `"${path}" has ${size} bytes; at most ${mostBytes} are read.`);
      } catch (error) {
        throw toPlain(error, path);
      }
    },
  };
}

/** Keys and histories, wherever they lie. */
function isPrivate(path: string): boolean {
  return path.split(/[\\/]/).some((part) => {
    const name = part.toLowerCase();
    return name === ".git" || name.startsWith(".env") || name === "skillholm.toml" || name === "skillholm.lock";
  });
}

function isClosed(path: string, closed: readonly string[]): boolean {
  return closed.some((folder) => path === folder || path.startsWith(folder + sep));
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
