import { isStaticToolUIPart, type UIMessage } from "ai";
import { textOf } from "./api.ts";
import { Prose } from "./prose.tsx";
import { strings } from "./strings.ts";
import { ToolCard } from "./tool-card.tsx";

/** One message: what a person said, or an answer with the tools that it took. */
export function Message({ message }: { readonly message: UIMessage }) {
  if (message.role === "user") {
    return (
      <article className="said" dir="auto" aria-label={strings.you}>
        {textOf(message)}
      </article>
    );
  }
  return (
    <article className="answer">
      {message.parts.map((part, index) => {
        const key = `${message.id}-${index}`;
        if (part.type === "text") return <Prose key={key} text={part.text} />;
        return isStaticToolUIPart(part) ? <ToolCard key={part.toolCallId} part={part} /> : null;
      })}
    </article>
  );
}
