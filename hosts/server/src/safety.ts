import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { ApiError } from "./errors.ts";

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** The page may load only what is ours, and nobody may frame it. */
export const setSafetyHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
};

/** Turns away requests that another site's page makes: by its own name for this address, or from its own origin. */
export function refuseStrangers(listening: string): MiddlewareHandler {
  return async (context, next) => {
    const { host: asked = "", origin } = context.req.header();
    if (!isOurs(hostName(asked), listening)) {
      throw new ApiError(
        403,
        "permission-denied",
        `"${asked}" is no name of this server. Use the address that it printed.`,
      );
    }
    if (origin !== undefined && origin !== `http://${asked}`) {
      throw new ApiError(403, "permission-denied", `Requests from ${origin} are not answered.`);
    }
    await next();
  };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

// A rebinding attack needs a name that its owner can point elsewhere; an address cannot be pointed.
function isOurs(name: string, listening: string): boolean {
  if (isLoopback(name) || name === listening) return true;
  return !isLoopback(listening) && isIP(name) !== 0;
}

function hostName(host: string): string {
  return host
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}
