import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

/** Writes a file so that whoever reads it sees the old one or the new one, never half of it. */
export function writeAtomically(path: string, text: string, rights: "as before" | "owner only"): void {
  const target = realPath(path);
  const draft = `${target}.${process.pid}.tmp`;
  const before = rights === "owner only" ? undefined : statSync(target, { throwIfNoEntry: false })?.mode;
  try {
    // A new file that is not for its owner only gets the rights that every new file gets here.
    const file = openSync(draft, "w", rights === "as before" && before === undefined ? 0o666 : 0o600);
    try {
      // Unlike one `writeSync`, it goes on until all is written or throws: a nearly full disk takes half of a text.
      writeFileSync(file, text);
      if (before !== undefined) fchmodSync(file, before & 0o777);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

// A link stays a link.
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
