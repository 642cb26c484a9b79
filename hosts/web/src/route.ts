import { useCallback, useEffect, useState } from "react";

/** Where in the page somebody is; the address always says it. */
export type Route =
  | { readonly place: "new" }
  | { readonly place: "chat"; readonly id: string }
  | { readonly place: "library" };

function parseRoute(path: string): Route {
  const [, place, id] = path.split("/");
  if (place === "library") return { place };
  if (place === "chat" && id) return { place, id };
  return { place: "new" };
}

export function pathOf(route: Route): string {
  if (route.place === "library") return "/library";
  return route.place === "chat" ? `/chat/${route.id}` : "/";
}

export function useRoute(): readonly [Route, (to: Route) => void] {
  const [route, setRoute] = useState(() => parseRoute(location.pathname));
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.pathname));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const go = useCallback((to: Route) => {
    if (pathOf(to) !== location.pathname) history.pushState(null, "", pathOf(to));
    setRoute(to);
  }, []);
  return [route, go];
}
