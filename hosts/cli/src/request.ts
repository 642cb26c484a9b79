import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { SkillError } from "@skillholm/core";

/** A conversation on disk: its ledger, and its messages as they are now. */
export interface ConversationOptions {
  readonly session?: string;
  readonly messages?: string;
}

/** Where the ledger is kept between calls, and what the conversation still holds. */
export function readMessages({ session, messages }: ConversationOptions, cwd: string) {
  if (messages !== undefined && session === undefined) {
    throw new SkillError("invalid-input", "--messages tells a session what it still holds: give --session FILE too.");
  }
  return {
    ...(session !== undefined && { session: resolve(cwd, session) }),
    ...(messages !== undefined && { messages: readJson(resolve(cwd, messages)) }),
  };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    throw new SkillError("invalid-input", `--messages: ${path} cannot be read as JSON (${(error as Error).message}).`);
  }
}

/** What a person answers ahead of the question. */
export interface AnswerOptions {
  readonly yes?: boolean;
  readonly remember?: string;
  readonly session?: string;
}

export function parseAnswer({ yes, remember, session }: AnswerOptions): "once" | "session" | "always" | undefined {
  if (remember !== undefined && remember !== "session" && remember !== "always") {
    throw new SkillError("invalid-input", `--remember: "${remember}" should be session or always.`);
  }
  if (remember === "session" && session === undefined) {
    throw new SkillError("invalid-input", "--remember session needs the conversation's file: --session FILE.");
  }
  if (remember !== undefined && yes !== true) throw new SkillError("invalid-input", "--remember goes with --yes.");
  return yes === true ? (remember ?? "once") : undefined;
}
