import { SkillError } from "./error.ts";

/** One door of the sandbox that a person opens. */
export type Grant =
  | { readonly kind: "network" }
  | { readonly kind: "read" | "write"; readonly path: string }
  | { readonly kind: "env"; readonly name: string };

/** `network`, `read:DIR`, `write:DIR` or `env:NAME`. */
export function parseGrant(text: string): Grant {
  const [, kind = "", value = ""] = /^(read|write|env):(.+)$/s.exec(text) ?? [];
  if (text === "network") return { kind: "network" };
  if (kind === "env" && /^[A-Za-z_]\w*$/.test(value) && !loads.test(value)) return { kind, name: value };
  if ((kind === "read" || kind === "write") && isFolder(value)) return { kind, path: value };
  throw new SkillError(
    "invalid-input",
    `"${text}" is nothing that can be granted. Give network, read:DIR, write:DIR with an absolute path, or env:NAME.`,
  );
}

// Variables by which other code gets into a program: they are never given on.
const loads = /^(LD_|DYLD_|NODE_|PYTHON|PERL|RUBY|BASH_ENV$|ENV$|GCONV_PATH$|SKILL_)/;

function isFolder(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  const isClosed = ["proc", "sys", "dev"].includes(parts[0] ?? "");
  return path.startsWith("/") && parts.length > 0 && !isClosed && !parts.includes("..") && !path.includes("\0");
}
