import { mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { homeFolder, SkillError } from "@skillholm/core";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the program keeps what it remembers. */
export function stateFolder(env: Env = process.env, home: string = homeFolder()): string {
  return xdgFolder(env.XDG_STATE_HOME, join(home, ".local/state"));
}

/** Where conversations lie. */
export function dataFolder(env: Env = process.env, home: string = homeFolder()): string {
  return xdgFolder(env.XDG_DATA_HOME, join(home, ".local/share"));
}

// The XDG specification: a relative path counts as none.
function xdgFolder(given: string | undefined, otherwise: string): string {
  return join(given && isAbsolute(given) ? given : otherwise, "skillholm");
}

/** Makes a folder that only its owner can read, with those above it. Not `recursive`: below /proc that never returns. */
export function makeFolder(path: string, attempts = 2): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    const parent = dirname(path);
    const hopeless = code !== "ENOENT" || parent === path || attempts === 0;
    if (hopeless) throw new SkillError("unavailable", `Cannot remember this: ${message}.`);
    makeFolder(parent);
    makeFolder(path, attempts - 1);
  }
}
