/// <reference lib="esnext.disposable" preserve="true" />
import type { Limits } from "./limits.ts";
import type { Changes } from "./rediscover.ts";
import type { Root } from "./root.ts";
import type { SourceRoots } from "./source.ts";

/** An open watch; `using` closes it too. */
export interface Watch extends Disposable {
  /** When the watch has begun: what changes from then on is told of. */
  readonly ready: Promise<void>;
  close(): void;
}

// Changes are gathered until they pause, so that one save or one checkout is one look; but nobody waits longer.
const pauseMs = 100;
const longestMs = 500;
// After a look that failed.
const againMs = 2000;
// More paths than this are as good as all.
const mostPaths = 2000;

interface WatchingInput {
  readonly sources: readonly SourceRoots[];
  readonly limits: Limits;
  /** Looks again, at everything without `changes`. */
  readonly look: (changes?: Changes) => Promise<unknown>;
  /** Called when nobody watches any more. */
  readonly stopped: () => void;
}

/** Everybody who watches, over one set of source watches that lives as long as one of them does. */
interface Watching<T> {
  open(changed?: (value: T) => void): Watch;
  readonly isOn: boolean;
  tell(value: T): void;
}

export function createWatching<T>({ sources, limits, look, stopped }: WatchingInput): Watching<T> {
  const listeners = new Set<(value: T) => void>();
  let running: { readonly ready: Promise<void>; stop(): void } | undefined;

  const start = () => {
    const gathering = gatherChanges(look);
    const open = sources.flatMap(({ source, roots }) =>
      roots.flatMap((root) => source.watch?.(root, (paths) => gathering.add(root, paths), limits) ?? []),
    );
    const stop = () => {
      gathering.stop();
      for (const each of open) each[Symbol.dispose]();
      stopped();
    };
    return { ready: gathering.begin(), stop };
  };

  return {
    open(changed) {
      const listener = (value: T) => changed?.(value);
      listeners.add(listener);
      running ??= start();
      const close = () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        running?.stop();
        running = undefined;
      };
      return { ready: running.ready, close, [Symbol.dispose]: close };
    },
    get isOn() {
      return running !== undefined;
    },
    tell(value) {
      // Each on its own: what one of them throws is not the reload's failure.
      for (const listener of listeners) queueMicrotask(() => listeners.has(listener) && listener(value));
    },
  };
}

/** Turns many small events into few looks, one after the other. */
function gatherChanges(look: (changes?: Changes) => Promise<unknown>) {
  let changes = new Map<Root, Set<string>>();
  let first = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  // Until one look at everything has succeeded there is nothing that a partial one could build on.
  let isWhole = true;
  let isStopped = false;

  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
    // A watch alone keeps no process alive. Browsers have no such thing.
    (timer as { unref?: () => void }).unref?.();
  };

  const run = async (): Promise<void> => {
    if (isLooking || isStopped) return;
    const seen = isWhole ? undefined : changes;
    changes = new Map();
    isLooking = true;
    try {
      await look(seen);
      isWhole = false;
    } catch {
      isWhole = true;
    }
    isLooking = false;
    if (isStopped) return;
    if (isWhole) wait(againMs);
    else if (changes.size > 0) wait(pauseMs);
  };

  return {
    add(root: Root, paths: readonly string[]): void {
      const now = performance.now();
      if (changes.size === 0) first = now;
      const all = changes.get(root) ?? new Set();
      changes.set(root, all);
      for (const path of paths) all.add(all.size < mostPaths ? path : root.path);
      if (!isLooking && !isWhole) wait(Math.max(0, Math.min(pauseMs, first + longestMs - now)));
    },
    begin: run,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
