import type { Profile } from "./profile.ts";

export interface AgentOptions {
  /** Whose catalog and tools; the standard's unless given. */
  readonly profile?: Profile;
  /** What the list of skills may cost, in tokens; 4000 unless given. */
  readonly budget?: number;
  /** `enum`: the schema of the tool that activates names every skill, and changes when they do. */
  readonly names?: "text" | "enum";
  /** What the conversation is about, so that the skills for it come first where space is short. */
  readonly task?: string;
}
