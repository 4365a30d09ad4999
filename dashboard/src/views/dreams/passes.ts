/** The passes of a night: what each is for, and how its reports read. */

import type { Reply } from "../../api/client";
import type { PassName, PassStatus } from "../../api/contracts";
import type { Tone } from "../../ui/controls";

export type PassReport = Reply<"POST /v1/agents/{agent}/dream">["passes"][number];

/** A cycle, whether it was kept or only tried. */
export interface Cycle {
  id: string;
  trigger: string;
  started_at: string;
  finished_at: string | null;
  dry_run: boolean;
  passes: readonly PassReport[];
}

type Kept = Reply<"GET /v1/agents/{agent}/dreams">["dreams"][number];

export const PASSES: readonly (readonly [name: PassName, title: string, does: string])[] = [
  ["consolidation", "Consolidation", "Merges memories that say the same, and keeps what they teach together."],
  ["preferences", "Preferences", "Learns what people prefer from what they said."],
  ["entities", "Entities", "Reads turns again for people, things and facts that were missed."],
  ["graph", "Graph", "Merges duplicates, and archives what nobody has spoken of for long."],
  ["contradictions", "Contradictions", "Finds claims that cannot both be true, and proposes which one holds."],
  ["summaries", "Summaries", "Sums up sessions that have come to rest."],
  ["communities", "Communities", "Finds groups of entities that belong together."],
  ["decay", "Decay", "Lets memories fade that nobody has needed for long."],
];

export const STATUSES: Record<PassStatus, readonly [words: string, tone: Tone]> = {
  done: ["done", "good"],
  skipped: ["skipped", "plain"],
  stopped: ["stopped", "warn"],
  paused: ["paused", "warn"],
  failed: ["failed", "bad"],
};

export function passTitle(name: string): string {
  return PASSES.find(([each]) => each === name)?.[1] ?? name;
}

/** A cycle as it was written down. */
export function cycle(kept: Kept): Cycle {
  const passes = (kept.report.passes ?? []) as PassReport[];
  return { ...kept, dry_run: false, passes };
}

export function total(passes: readonly PassReport[], of: (pass: PassReport) => number): number {
  return passes.reduce((sum, pass) => sum + of(pass), 0);
}

/** How long it took, for people. */
export function lasted(from: string, until: string | null): string | null {
  if (!until) return null;
  const seconds = (new Date(until).getTime() - new Date(from).getTime()) / 1000;
  if (seconds < 1) return "under a second";
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

export const TRIGGERS: Record<string, string> = { manual: "asked for", schedule: "by schedule" };
