import { useState } from "react";
import { strings } from "./strings.ts";

export function CopyButton({ text }: { readonly text: string }) {
  const [done, setDone] = useState(false);
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
