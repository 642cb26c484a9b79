import "./composer.css";
import { type KeyboardEvent, useState } from "react";
import { strings } from "./strings.ts";

interface ComposerProps {
  readonly busy: boolean;
  onSend(text: string): void;
}

/** Where a person writes. Enter sends, Shift-Enter breaks the line. */
export function Composer({ busy, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  const send = () => {
    if (busy || text.trim() === "") return;
    onSend(text);
    setText("");
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
        aria-label={strings.ask}
        placeholder={strings.ask}
        title={strings.sendHint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <button type="submit" disabled={busy || text.trim() === ""}>
        {strings.send}
      </button>
    </form>
  );
}
