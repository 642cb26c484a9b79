import Markdown from "react-markdown";

/** A model's Markdown. No raw HTML, and nothing is fetched: an image shows its description only. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div className="prose" dir="auto">
      <Markdown components={{ img: ({ alt }) => <em>{alt}</em> }}>{text}</Markdown>
    </div>
  );
}
