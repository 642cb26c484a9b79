import { strings } from "./strings.ts";

/** What went wrong, and a button that tries again where that can help. */
export function Problem({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) {
  return (
    <div className="problem" role="alert">
      <strong>{strings.failed}</strong> {text}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {strings.retry}
        </button>
      )}
    </div>
  );
}
