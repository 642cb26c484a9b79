import { SkillError } from "@skillholm/core";
import { whenNpmEnds } from "./npm-parent.ts";

export function parsePort(option: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SkillError("invalid-input", `${option}: "${text}" is no port. It should be a number from 0 to 65535.`);
}

/** When somebody ends a command that goes on. */
export function whenEnded(): Promise<void> {
  return new Promise((resolve) => {
    // Not once: a second one, from the terminal and from npm at the same time, must not cut the end short.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    whenNpmEnds(resolve);
  });
}
