import type { SearchOutput } from "@skillholm/tools";
import type { ToolUIPart } from "ai";
import { Card, type CardProps } from "./card.tsx";
import { strings } from "./strings.ts";

interface SearchCardProps {
  readonly part: ToolUIPart;
  readonly state: CardProps["state"];
}

/** A search: what for, and each hit as a bar. */
export function SearchCard({ part, state }: SearchCardProps) {
  const { query = "" } = Object(part.input) as { query?: string };
  if (state !== "done") {
    return (
      <Card
        verb={strings.searching}
        object={query}
        state={state}
        {...(part.errorText && { problem: part.errorText })}
      />
    );
  }
  const { count, results } = part.output as SearchOutput;
  const facts = [strings.hits(count)];
  if (count === 0) return <Card verb={strings.searched} object={query} state={state} facts={facts} />;
  return (
    <Card verb={strings.searched} object={query} state={state} facts={facts}>
      <ol className="hits">
        {results.map(({ path, name, score, reason }) => (
          <li key={path}>
            <code>{name}</code>
            <meter value={score} max={1} title={`${score} (${reason})`} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
