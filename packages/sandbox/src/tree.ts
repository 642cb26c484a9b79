import { readdirSync, readFileSync } from "node:fs";
import type { RunLimits } from "./limits.ts";

/** A process and all below it, as the system tells; empty where it tells nothing. */
export function listTree(pid: number): readonly number[] {
  const found = [pid];
  for (const each of found) found.push(...childrenOf(each));
  return found;
}

function childrenOf(pid: number): readonly number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) => readNumbers(`/proc/${pid}/task/${task}/children`));
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function readNumbers(path: string): readonly number[] {
  return readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
}

/**
 * What the kernel's own limits leave open: they hold for each process, and a user may have many. Memory that is shared is
 * counted where it is used.
 */
export function measureTree(pid: number, limits: RunLimits): "fits" | "memory" | "processes" {
  const tree = listTree(pid);
  // Two or three of them are the sandbox's own.
  if (tree.length > limits.processes + 4) return "processes";
  const used = tree.reduce((sum, each) => sum + memoryOf(each), 0);
  return used > limits.memoryBytes ? "memory" : "fits";
}

function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, number]) => Number(number));
    return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
  } catch {
    return 0;
  }
}

/** Processes that were given a certain text in their environment: those that left the tree without a sandbox. */
export function listMarked(mark: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readEnvironment(pid).includes(mark)).map(Number);
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    // Somebody else's, or gone.
    return "";
  }
}
