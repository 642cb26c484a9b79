import { useCallback, useEffect, useState } from "react";

export interface Loaded<T> {
  readonly value?: T;
  readonly error?: string;
  reload(): void;
}

/** Something from the server: nothing yet, a value, or what went wrong. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({});
  const reload = useCallback(() => {
    load().then(
      (value) => setState({ value }),
      (error: Error) => setState((before) => ({ ...before, error: error.message })),
    );
  }, [load]);
  useEffect(reload, [reload]);
  return { ...state, reload };
}
