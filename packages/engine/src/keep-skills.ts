import type { Skills } from "@skillholm/core";

/** The skills of an engine, loaded once and looked at again as their policy says. */
export interface KeptSkills {
  /** Loads them, once until an answer changes. */
  get(): Promise<Skills>;
  /** As they are now, as far as the policy sees changes: `restart` and `manual` do not look again. */
  fresh(): Promise<Skills>;
  /** Looks again, unless the policy is `restart`. */
  reload(): Promise<Skills>;
  /** Sees changes as they happen, where the policy is `watch`; ends the watch when called. */
  watch(): () => void;
  /** Other answers make other roots: the next one who asks gets them. */
  forget<T>(result: T): T;
  /** When they were last looked for. */
  scannedAt(): Date;
}

interface KeepInput {
  open(): Promise<Skills>;
  /** Everything that decides what is loaded, as one text. */
  decided(): string;
  /** Something else than their `SKILL.md` decides over skills: a watch alone would miss it. */
  isGated(): boolean;
}

// A look at fewer costs less than anybody notices, and sees what was saved this very moment; a watch needs a tenth of a
// second.
const many = 2000;

export function keepSkills({ open, decided, isGated }: KeepInput): KeptSkills {
  let opened: Promise<Skills> | undefined;
  let scannedAt = new Date();
  let known = "";
  let watching: { readonly skills: Promise<Skills>; close(): void } | undefined;
  let watchers = 0;

  const forget = <T>(result: T): T => {
    opened = undefined;
    watching?.close();
    watching = undefined;
    return result;
  };
  const startWatch = (skills: Promise<Skills>) => {
    let stop: () => void = () => undefined;
    let isClosed = false;
    skills.then(
      (found) => {
        if (isClosed || found.policy.reload !== "watch") return;
        const watch = found.watch(() => {
          scannedAt = new Date();
        });
        stop = () => watch.close();
      },
      () => undefined,
    );
    const close = () => {
      isClosed = true;
      stop();
    };
    return { skills, close };
  };
  const get = (): Promise<Skills> => {
    if (opened !== undefined) return opened;
    scannedAt = new Date();
    known = decided();
    const mine = open();
    opened = mine;
    // What failed is tried again; but only this one, and not what has come in its place.
    mine.catch(() => opened === mine && forget(undefined));
    if (watchers > 0) watching = startWatch(mine);
    return mine;
  };
  const reload = async (): Promise<Skills> => {
    if (opened !== undefined && (await opened).policy.reload === "restart") return opened;
    if (decided() !== known) forget(undefined);
    const before = opened;
    const found = await get();
    if (before === undefined) return found;
    scannedAt = new Date();
    await found.reload();
    return found;
  };
  return {
    get,
    reload,
    fresh: async () => {
      const found = await get();
      const { reload: when } = found.policy;
      if (when === "restart" || when === "manual") return found;
      const isSeen = when === "watch" && watching !== undefined && !isGated() && decided() === known;
      return isSeen && found.catalog.skills.length > many ? found : reload();
    },
    watch: () => {
      watchers++;
      watching ??= opened && startWatch(opened);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        if (--watchers > 0) return;
        watching?.close();
        watching = undefined;
      };
    },
    forget,
    scannedAt: () => scannedAt,
  };
}
