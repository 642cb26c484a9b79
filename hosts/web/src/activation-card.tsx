import type { ActivationOutput, StaleActivation } from "@skillholm/tools";
import type { ToolUIPart } from "ai";
import { Card, type CardProps } from "./card.tsx";
import { CopyButton } from "./copy-button.tsx";
import { strings } from "./strings.ts";

interface ActivationCardProps {
  readonly part: ToolUIPart;
  readonly state: CardProps["state"];
}

/** An activation: which skill, what it cost, and its instructions folded away. */
export function ActivationCard({ part, state }: ActivationCardProps) {
  const { name: asked } = Object(part.input) as { name?: string };
  if (state !== "done") {
    const verb = state === "running" ? strings.activating : strings.notActivated;
    return (
      <Card
        verb={verb}
        state={state}
        {...(asked && { object: asked })}
        {...(part.errorText && { problem: part.errorText })}
      />
    );
  }
  const output = part.output as ActivationOutput | StaleActivation;
  const facts = [strings.tokens(output.tokens)];
  if ("stale" in output) facts.push(output.stale === "changed" ? strings.staleChanged : strings.staleUnavailable);
  else if (output.truncated) facts.push(strings.truncated);
  return (
    <Card verb={strings.activated} object={output.name} state={state} facts={facts}>
      <div className="tools">
        {"files" in output && <Files files={output.files} more={output.filesTruncated} />}
        <CopyButton text={output.content} />
      </div>
      <pre>{output.content}</pre>
    </Card>
  );
}

function Files({ files, more }: { readonly files: readonly string[]; readonly more: boolean }) {
  if (files.length === 0) return null;
  const names = files.slice(0, 5).join(", ");
  return (
    <span className="quiet" title={files.join("\n")}>
      {strings.files(files.length)}: {names}
      {(more || files.length > 5) && `, ${strings.moreFiles}`}
    </span>
  );
}
