import "./composer.css";
import type { KeyboardEvent } from "react";
import { strings } from "./strings.ts";

interface ComposerProps {
  readonly busy: boolean;
  readonly text: string;
  onChange(text: string): void;
  onSend(text: string): void;
}

/** Where a person writes. Enter sends, Shift-Enter breaks the line. */
export function Composer({ busy, text, onChange, onSend }: ComposerProps) {
  const send = () => {
    if (!busy && text.trim() !== "") onSend(text);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the one thing to do on this page
        autoFocus
        rows={2}
        dir="auto"
        aria-label={strings.ask}
        placeholder={strings.ask}
        title={strings.sendHint}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
      />
      <button type="submit" disabled={busy || text.trim() === ""}>
        {strings.send}
      </button>
    </form>
  );
}
