import "./bar.css";
import type { ModelFacts } from "@skillholm/engine";
import type { MouseEvent, ReactNode } from "react";
import { pathOf, type Route } from "./route.ts";
import { strings } from "./strings.ts";

interface BarProps {
  readonly route: Route;
  readonly model: ModelFacts | undefined;
  readonly unsandboxed: boolean;
  onChat(): void;
  onLibrary(): void;
}

/** The bar: where one can go, which model answers, and whether scripts run without a sandbox. */
export function Bar({ route, model, unsandboxed, onChat, onLibrary }: BarProps) {
  const inLibrary = route.place === "library";
  return (
    <header className="bar">
      <span className="brand">
        <img src="/icon.svg" alt="" width="18" height="18" />
        <span>{strings.product}</span>
      </span>
      <nav>
        <Place to={{ place: "new" }} isCurrent={!inLibrary} onGo={onChat}>
          {strings.chat}
        </Place>
        <Place to={{ place: "library" }} isCurrent={inLibrary} onGo={onLibrary}>
          {strings.library}
        </Place>
      </nav>
      {unsandboxed && <strong className="unsandboxed">{strings.unsandboxed}</strong>}
      {model !== undefined && (
        <span className="model" title={model.languageModel ? undefined : strings.guideMeaning}>
          <span className="dot" aria-hidden="true" /> {model.languageModel ? model.id : strings.guide}
        </span>
      )}
    </header>
  );
}

interface PlaceProps {
  readonly to: Route;
  readonly isCurrent: boolean;
  onGo(): void;
  readonly children: ReactNode;
}

function Place({ to, isCurrent, onGo, children }: PlaceProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onGo();
  };
  return (
    <a href={pathOf(to)} aria-current={isCurrent ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}
