import "./card.css";
import type { ReactNode } from "react";
import { strings } from "./strings.ts";

export interface CardProps {
  readonly verb: string;
  /** What it is done to. */
  readonly object?: string;
  readonly state: "running" | "done" | "failed";
  /** Small facts beside it: cost, badges. */
  readonly facts?: readonly string[];
  /** Why it failed, and what to do. */
  readonly problem?: string;
  readonly children?: ReactNode;
}

const marks = { running: "…", done: "✓", failed: "✗" };
const words = { running: strings.running, done: strings.done, failed: strings.error };

/** A tool call on one line: verb, object, cost, state. What it brought is folded away. */
export function Card({ verb, object, state, facts = [], problem, children }: CardProps) {
  const line = (
    <>
      <span className="verb">{verb}</span>
      {object !== undefined && <code>{object}</code>}
      <span className="facts">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
      <span className="state" role="img" aria-label={words[state]}>
        {marks[state]}
      </span>
    </>
  );
  return (
    <section className={`card ${state}`} aria-label={`${verb} ${object ?? ""}`.trim()}>
      {children === undefined ? <div className="line">{line}</div> : <Folded line={line}>{children}</Folded>}
      {problem !== undefined && <p className="reason">{problem}</p>}
    </section>
  );
}

function Folded({ line, children }: { readonly line: ReactNode; readonly children: ReactNode }) {
  return (
    <details>
      <summary className="line">{line}</summary>
      <div className="inside">{children}</div>
    </details>
  );
}
