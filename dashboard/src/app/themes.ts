/** Dark or light: as the system prefers, until the reader chooses. */

import { useSyncExternalStore } from "react";

export type Theme = "dark" | "light";

const KEPT = "nacre.theme";
const system = window.matchMedia("(prefers-color-scheme: light)");
const listeners = new Set<() => void>();
let shown: Theme = "dark";

function wanted(): Theme {
  const kept = localStorage.getItem(KEPT);
  if (kept === "dark" || kept === "light") return kept;
  return system.matches ? "light" : "dark";
}

// Only here is the system asked: a browser that is asked between a change and its event takes the change for known,
// and the event never comes. So what is in view is kept, and a render reads that.
function show(): void {
  shown = wanted();
  document.documentElement.dataset.theme = shown;
  for (const changed of listeners) changed();
}

/** Show the theme from now on, and follow the system. */
export function startThemes(): void {
  system.addEventListener("change", show);
  show();
}

/** Choose the other theme, and keep that choice. */
export function switchTheme(): void {
  localStorage.setItem(KEPT, shown === "dark" ? "light" : "dark");
  show();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The theme in view. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => shown);
}

/** The value of a colour token, for canvases, which cannot read CSS. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
