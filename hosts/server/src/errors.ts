import { SkillError, type SkillErrorCode } from "@skillholm/core";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A request that cannot be answered, with its HTTP status. */
export class ApiError extends SkillError {
  readonly status: ContentfulStatusCode;

  constructor(status: ContentfulStatusCode, code: SkillErrorCode, message: string) {
    super(code, message);
    this.status = status;
  }
}

/** Every error in the one shape of the command line; what nobody foresaw goes to the log, not to the client. */
export function answerError(error: Error, context: Context, log: (problem: string, error: Error) => void): Response {
  if (!(error instanceof SkillError)) {
    log(`${context.req.method} ${context.req.path}: ${error.message}`, error);
    const message = "Something went wrong in the server. Its terminal says what.";
    return context.json({ error: { code: "unavailable", message } }, 500);
  }
  const { code, message, details } = error;
  const status = error instanceof ApiError ? error.status : (statuses[code] ?? 400);
  return context.json({ error: { code, message, ...details } }, status);
}

const statuses: Readonly<Partial<Record<SkillErrorCode, ContentfulStatusCode>>> = {
  "skill-not-found": 404,
  "resource-not-found": 404,
  "permission-denied": 403,
  unavailable: 503,
};
