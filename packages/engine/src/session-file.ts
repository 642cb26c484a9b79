import { readFileSync } from "node:fs";
import { type Ledger, parseLedger, SkillError } from "@skillholm/core";
import { writeAtomically } from "@skillholm/store";

/** A conversation that is kept in a file between calls; what it was given lies beside it, not in it. */
export interface SessionFile {
  readonly ledger: Ledger | undefined;
  readonly outputs: Map<string, string>;
  save(ledger: Ledger): void;
}

/** Opens the file, or begins a new one. */
export function openSessionFile(path: string): SessionFile {
  const outputsPath = `${path}.outputs`;
  const stored = readJson(path);
  const ledger = stored === undefined ? undefined : parseStored(stored, path);
  const texts = readJson(outputsPath) ?? {};
  const outputs = new Map(
    Object.entries(texts).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
  return {
    ledger,
    outputs,
    save: (now) => {
      writeAtomically(path, `${JSON.stringify(now, null, 2)}\n`, "owner only");
      if (outputs.size === 0) return;
      writeAtomically(outputsPath, `${JSON.stringify(Object.fromEntries(outputs))}\n`, "owner only");
    },
  };
}

function parseStored(value: unknown, path: string): Ledger {
  try {
    return parseLedger(value);
  } catch (error) {
    throw new SkillError("invalid-input", `${path}: ${(error as Error).message} Give another file, or remove it.`);
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new SkillError("invalid-input", `${path}: it cannot be read as JSON (${(error as Error).message}).`);
  }
}
