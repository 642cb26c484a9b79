import { readFileSync } from "node:fs";

/** Calls back when the npm or npx that started this is gone: it does not pass every signal on to what it started. */
export function whenNpmEnds(act: () => void): void {
  if (process.env.npm_command === undefined) return;
  const before = pathToNpm();
  setInterval(() => pathToNpm() !== before && act(), 500).unref();
}

/** The processes between this one and npm; only the parent where the system does not tell more. */
function pathToNpm(): string {
  const pids: number[] = [];
  for (let pid = process.ppid; pid > 1 && pids.length < 8; pid = parentOf(pid)) {
    pids.push(pid);
    if (readProc(pid, "cmdline").startsWith("npm ")) return pids.join(" ");
  }
  return String(process.ppid);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, "status"))?.[1] ?? 0);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
