/** Where a root's skills come from; in this order they win a name. */
export type Scope = "project" | "user" | "plugin" | "system";

/** Scopes from strongest to weakest. */
export const scopes: readonly Scope[] = ["project", "user", "plugin", "system"];

/** Other agents whose folders can be read, by the name with which `compat` switches them on. */
export type Agent = "claude" | "codex" | "gemini" | "opencode" | "cursor" | "copilot";

/** A place to look for skills. */
export interface Root {
  readonly path: string;
  readonly scope: Scope;
  /** Skills of an untrusted root are hidden: `find` refuses them. Hosts may still show their text to people. */
  readonly trusted: boolean;
  readonly writable: boolean;
  /** `anywhere`: a person's own folder, where installers link to other places. */
  readonly links: "inside" | "anywhere";
  /** The folder to trust, and that a project's root must not leave by a link. */
  readonly project?: string;
  /** The agent whose folder this is, when it was switched on by `compat`. */
  readonly agent?: Agent;
  /** The server that its skills come from, where that is not this machine: they never take a name from a local one. */
  readonly origin?: string;
}
