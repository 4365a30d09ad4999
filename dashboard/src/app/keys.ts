/** Keyboard shortcuts. They rest while the reader writes, and while a dialog is open. */

import { useEffect, useRef } from "react";

function resting(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const writing = target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
  return writing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null;
}

/** Run what belongs to a key. A name such as `g c` is one key after another. */
export function useKeys(keys: Record<string, () => void>): void {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    let before: { key: string; at: number } | null = null;
    const pressed = (event: KeyboardEvent) => {
      if (resting(event)) return;
      const chord = before && event.timeStamp - before.at < 1200 ? `${before.key} ${event.key}` : null;
      // What follows a `g` belongs to it, whoever listens: `g a` must not be taken for an `a`.
      const alone = before?.key === "g" && chord ? undefined : held.current[event.key];
      const run = (chord && held.current[chord]) || alone;
      before = { key: event.key, at: event.timeStamp };
      if (!run) return;
      event.preventDefault();
      before = null;
      run();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
