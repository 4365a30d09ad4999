/** What a budget left out of a context, and which hits are in it. */

import type { Context, Hit } from "./asking";

type Label = Context["messages"][number]["label"];

export interface Cut {
  label: Label;
  lines: string[];
}

/** The lines of a context without bounds that are not in the one with them. The header of a message is no line. */
export function cutsOf(context: Context, whole: Context): Cut[] {
  const shown = new Set(context.messages.flatMap((message) => message.text.split("\n")));
  const cut = new Map<Label, string[]>();
  for (const { label, text } of whole.messages) {
    const lines = text.split("\n").slice(1).filter((line) => !shown.has(line));
    if (lines.length) cut.set(label, [...(cut.get(label) ?? []), ...lines]);
  }
  return [...cut].map(([label, lines]) => ({ label, lines }));
}

// A line of a context is cut short where it is long, so only its beginning is looked for.
const BEGINNING = 80;

/** Whether a hit is among what is injected: memories stand there by their short id, turns by their words. */
export function isInjected(hit: Hit, context: Context): boolean {
  const sought = hit.kind === "memory" ? `[${hit.id.slice(-12)}]` : hit.text.split(/\s+/).join(" ").slice(0, BEGINNING);
  return context.messages.some(({ text }) => text.split(/\s+/).join(" ").includes(sought));
}
