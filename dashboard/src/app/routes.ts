/** Addresses of the page: `#/view/argument?name=value`. The part after `#` never reaches the server. */

import { useSyncExternalStore } from "react";

export interface Route {
  view: string;
  argument: string | null;
  query: URLSearchParams;
}

function read(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", ...rest] = path.split("/");
  return { view, argument: rest.length ? decodeURIComponent(rest.join("/")) : null, query: new URLSearchParams(query) };
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
}

/** Where the page stands. */
export function useRoute(): Route {
  return read(useSyncExternalStore(subscribe, () => window.location.hash));
}

/** The address of a view. The chosen agent, user and chat go along. */
export function to(view: string, argument?: string | null, query: Record<string, string | null | undefined> = {}): string {
  const asked = new URLSearchParams();
  const here = read(window.location.hash).query;
  for (const name of ["agent", "user", "chat"]) {
    const value = name in query ? query[name] : here.get(name);
    if (value) asked.set(name, value);
  }
  for (const [name, value] of Object.entries(query)) if (value && !asked.has(name)) asked.set(name, value);
  const path = `#/${view}${argument ? `/${encodeURIComponent(argument)}` : ""}`;
  return asked.size ? `${path}?${asked}` : path;
}

/** Go there; `replace` leaves no step to go back to. */
export function go(address: string, options: { replace?: boolean } = {}): void {
  if (!options.replace) {
    window.location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Set one parameter of the address in view; null takes it out. */
export function setParameter(name: string, value: string | null): void {
  const { view, argument, query } = read(window.location.hash);
  if (value) query.set(name, value);
  else query.delete(name);
  const path = `#/${view}${argument ? `/${encodeURIComponent(argument)}` : ""}`;
  go(query.size ? `${path}?${query}` : path, { replace: true });
}
