/** The entries of working memory, and how long they are still there. */

import { useEffect, useState } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Failure, Reply } from "../../api/client";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";

type Entries = Reply<"GET /v1/agents/{agent}/working">;
export type Entry = Entries["entries"][number];

/** Who asks: reading goes anywhere, so any name will do. */
export const READER = "session/dashboard";
/** The namespaces of sessions, patrols and subagents begin with these. */
export const ROOTS = ["session", "patrol", "subagent"] as const;

const EVERY = 10_000;

/** What lies below a prefix; entries that agents add or that expire are seen within seconds. */
export function useEntries(below: string, query: string): UseQueryResult<Entries, Failure> {
  const scope = useScope();
  return useRead("GET /v1/agents/{agent}/working", { path: scope.path, query: { ...scope.query, namespace: READER, below, query, limit: 1000 } }, { every: EVERY });
}

/** The first two segments of a key. */
export function namespaceOf(entry: Entry): string {
  return entry.key.split("/").slice(0, 2).join("/");
}

/** What follows the namespace in a key. */
export function nameOf(entry: Entry): string {
  return entry.key.split("/").slice(2).join("/");
}

/** The time, told anew every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "m"],
  [1, "s"],
] as const;

/** A span of seconds in its two largest units: `4 h 08 m`. */
export function span(seconds: number): string {
  const at = UNITS.findIndex(([size]) => seconds >= size);
  const [large, small] = [UNITS[at], UNITS[at + 1]];
  if (!large) return "0 s";
  const whole = `${Math.floor(seconds / large[0])} ${large[1]}`;
  return small ? `${whole} ${String(Math.floor((seconds % large[0]) / small[0])).padStart(2, "0")} ${small[1]}` : whole;
}
