export interface AgentOptions {
  /** What the list of skills may cost, in tokens; 4000 unless given. */
  readonly budget?: number;
  /** What the conversation is about, so that the skills for it come first where space is short. */
  readonly task?: string;
}
