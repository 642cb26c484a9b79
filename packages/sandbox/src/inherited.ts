import { openSync, readdirSync, readFileSync } from "node:fs";

/** The first descriptor that a child is not given on purpose. */
const firstFree = 5;

let fill: readonly number[] | undefined;

/**
 * What stands in the place of descriptors that our own parent left open: a child would inherit them, and with them a way
 * out. Node's own are closed by themselves, so that one look in a process is enough.
 */
export function coverInherited(): readonly number[] {
  fill ??= findFill();
  return fill;
}

function findFill(): readonly number[] {
  const last = Math.max(0, ...listInherited());
  if (last < firstFree) return [];
  const nothing = openSync("/dev/null", "r");
  return Array.from({ length: last - firstFree + 1 }, () => nothing);
}

function listInherited(): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").map(Number).filter(isInherited);
}

const closesItself = 0o2000000;

function isInherited(handle: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & closesItself) === 0;
  } catch {
    // It was the one that read the list.
    return false;
  }
}
