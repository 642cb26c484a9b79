/**
 * Who may set a key. A project's file is a stranger's until its folder is trusted, and some things it may never say.
 * `tighten`: a project may always go towards the end of `order`, and back only where `loosen` allows.
 */
export interface ConfigKey {
  readonly key: string;
  readonly type: "text" | "flag" | "number" | "list";
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fallback: ConfigValue;
  /** From the loosest to the strictest; numbers are stricter when they are smaller. */
  readonly order?: readonly string[] | "smaller" | "false" | "longer";
  /** What a project's file may do beyond tightening: `trusted` once its folder is, `never` not even then. */
  readonly project: "trusted" | "never";
  readonly about: string;
}

export type ConfigValue = string | number | boolean | readonly string[];
