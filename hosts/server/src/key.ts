import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { ApiError } from "./errors.ts";

/**
 * Lets in who has the key: other users and programs share loopback. It comes in the address that was printed, once, and
 * becomes a cookie; programs send it as a bearer token. The page's own files need none.
 */
export function requireKey(key: string): MiddlewareHandler {
  const fits = (given: string | undefined) => given !== undefined && isSame(given, key);
  return async (context, next) => {
    const { path } = context.req;
    const given = context.req.query("key");
    if (!path.startsWith("/api/") && path !== "/mcp")
      return given === undefined ? next() : enter(context, fits(given) ? given : undefined);
    const bearer = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    if (fits(getCookie(context, cookieName(context))) || fits(bearer)) return next();
    const message = "This needs the key. Open the whole address that the server printed, with its key.";
    throw new ApiError(401, "permission-denied", message);
  };
}

/** Keeps the key as a cookie and takes it out of the address, so that it is in no history and no screenshot. */
function enter(context: Context, key: string | undefined): Response {
  if (key !== undefined) {
    setCookie(context, cookieName(context), key, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
      maxAge: 60 * 60 * 24 * 365,
    });
  }
  const url = new URL(context.req.url);
  url.searchParams.delete("key");
  // Two slashes at the beginning would name another server.
  return context.redirect(url.pathname.replace(/^\/+/, "/") + url.search, 303);
}

// Cookies do not tell ports apart, so that their names have to.
function cookieName(context: Context): string {
  return `skillholm_${new URL(context.req.url).port || "80"}`;
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
