import { useState } from "react";
import { strings } from "./strings.ts";

export function CopyButton({ text }: { readonly text: string }) {
  const [done, setDone] = useState(false);
  // A page that came over plain http from another machine has none.
  if (navigator.clipboard === undefined) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <button type="button" onClick={copy}>
      {done ? strings.copied : strings.copy}
    </button>
  );
}
