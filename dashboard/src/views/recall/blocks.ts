/** The blocks of a context: its messages, each with the lines that it was made of, and which hits are in them. */

import type { Context, Hit } from "./asking";

export type Message = Context["messages"][number];
export type Line = Context["lines"][number];

export interface Block {
  message: Message;
  /** About how many tokens it costs: the server tells the sum, which is shared by length. */
  tokens: number;
  /** What was recalled, line by line; empty for what is shown as it is, such as the last turns. */
  lines: Line[];
  /** False for what is shown beside better matches, because the answer may be there. */
  sure: boolean;
}

/** The messages of a context in order. What is sure of a label comes before what is less sure of it. */
export function blocksOf(context: Context): Block[] {
  const whole = context.messages.reduce((sum, message) => sum + message.text.length, 0) || 1;
  const waiting = new Map<Message["label"], Line[][]>();
  return context.messages.map((message) => {
    const groups = waiting.get(message.label) ?? groupsOf(context, message.label);
    waiting.set(message.label, groups);
    const lines = groups.shift() ?? [];
    const tokens = Math.round((message.text.length / whole) * context.tokens);
    return { message, tokens, lines, sure: lines.every((line) => line.sure) };
  });
}

function groupsOf(context: Context, label: Message["label"]): Line[][] {
  const lines = context.lines.filter((line) => line.label === label);
  return [lines.filter((line) => line.sure), lines.filter((line) => !line.sure)].filter((group) => group.length > 0);
}

/** What a line says, without its bullet and its day, which stand beside it. */
export function saidIn(line: Line): string {
  return line.text.replace(/^- (\[\d{4}-\d{2}-\d{2}\] )?/, "");
}

/** Whether a hit is among what is injected, in its own words or as what is believed because of it. */
export function isInjected(hit: Hit, context: Context): boolean {
  return context.lines.some((line) => line.items.includes(hit.id));
}
