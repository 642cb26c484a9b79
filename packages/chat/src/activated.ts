import { activateToolName } from "@skillholm/tools";
import { getStaticToolName, isStaticToolUIPart } from "ai";
import type { ChatMessage } from "./message.ts";

/** The paths of the skills that an answer activated. */
export function activatedPaths({ parts }: ChatMessage): readonly string[] {
  return parts.flatMap((part) => {
    if (!isStaticToolUIPart(part) || part.state !== "output-available") return [];
    const { path } = Object(part.output) as { readonly path?: unknown };
    return getStaticToolName(part) === activateToolName && typeof path === "string" ? [path] : [];
  });
}
