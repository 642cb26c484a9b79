import type { Session, Skills } from "@skillholm/core/portable";

/** The skills as they are at one request, and a conversation of its own: no client shows its messages. */
export interface OpenedSkills {
  readonly skills: Skills;
  readonly session: Session;
}

/** What a server of skills asks of the program around it. */
export interface McpHost {
  readonly version: string;
  /** `answer` is a person's, to what rules ask in this one request; without it nobody was asked yet. */
  open(answer?: "yes" | "no"): Promise<OpenedSkills>;
  /** Calls whenever other skills are there; ends when called. */
  watch(changed: () => void): () => void;
  /** Hears of what a client will not see, and of what went wrong. */
  report(problem: string): void;
}
