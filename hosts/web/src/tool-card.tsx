import { getStaticToolName, type ToolUIPart } from "ai";
import { ActivationCard } from "./activation-card.tsx";
import { Card, type CardProps } from "./card.tsx";
import { SearchCard } from "./search-card.tsx";

/** One tool call, drawn by what the tool does. */
export function ToolCard({ part }: { readonly part: ToolUIPart }) {
  const tool = getStaticToolName(part);
  const state = stateOf(part);
  if (tool === "activate_skill") return <ActivationCard part={part} state={state} />;
  if (tool === "search_skills") return <SearchCard part={part} state={state} />;
  return <Card verb={tool} state={state} {...(part.errorText && { problem: part.errorText })} />;
}

function stateOf({ state }: ToolUIPart): CardProps["state"] {
  if (state === "output-available") return "done";
  return state === "output-error" || state === "output-denied" ? "failed" : "running";
}
