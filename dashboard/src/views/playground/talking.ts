/** What is said in the playground, and what came of it. It outlives the view, so that one can look elsewhere and come back. */

import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { call, type Failure } from "../../api/client";
import { readAgain } from "../../api/queries";
import type { Scope } from "../../app/scopes";
import { changeBetween, told } from "../constellation/changes";
import { asked, readFilters } from "../constellation/filters";
import type { Constellation } from "../constellation/pictures";
import type { Context } from "../recall/asking";
import { newIn, usedIn } from "./lighting";

export type Step = "recalling" | "listening" | "learning" | "done" | "failed";

/** One message: what the agent would be told before it answers, and what was learned from it. */
export interface Exchange {
  id: number;
  text: string;
  step: Step;
  context: Context | null;
  /** What changed in the graph, in short lines. */
  learned: readonly string[];
  used: ReadonlySet<string>;
  fresh: ReadonlySet<string>;
  failure: Failure | null;
}

interface Talk {
  session: string;
  exchanges: readonly Exchange[];
}

const talks = new Map<string, Talk>();
const listeners = new Set<() => void>();
let last = 0;

/** What the picture beside the talk asks for. */
export const PICTURE = asked(readFilters(new URLSearchParams()));

const keyOf = ({ agent, user, chat }: Scope) => JSON.stringify([agent, user, chat]);

function begun(): Talk {
  return { session: `playground ${new Date().toISOString().slice(0, 19).replace("T", " ")}`, exchanges: [] };
}

function talkOf(scope: Scope): Talk {
  const talk = talks.get(keyOf(scope)) ?? begun();
  talks.set(keyOf(scope), talk);
  return talk;
}

function keep(scope: Scope, talk: Talk): void {
  talks.set(keyOf(scope), talk);
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The talk of a scope. */
export function useTalk(scope: Scope): Talk {
  return useSyncExternalStore(subscribe, () => talkOf(scope));
}

/** Begin another session; what was said stays observed. */
export function startAnew(scope: Scope): void {
  keep(scope, begun());
}

/** Ask for the context as an agent would, then observe the message, and see what the graph makes of it. */
export async function say(scope: Scope, queries: QueryClient, text: string): Promise<void> {
  const { session } = talkOf(scope);
  const id = ++last;
  const note = (more: Partial<Exchange>) => {
    const { exchanges } = talkOf(scope);
    keep(scope, { session, exchanges: exchanges.map((each) => (each.id === id ? { ...each, ...more } : each)) });
  };
  const begins: Exchange = { id, text, step: "recalling", context: null, learned: [], used: new Set(), fresh: new Set(), failure: null };
  keep(scope, { session, exchanges: [...talkOf(scope).exchanges, begins] });
  try {
    const before = await picture(scope);
    const context = await call("POST /v1/agents/{agent}/context", { path: scope.path, body: { ...scope.query, message: text, session } });
    note({ step: "listening", context, used: usedIn(context, before) });
    const { observations } = await call("POST /v1/agents/{agent}/observe", { path: scope.path, body: { ...scope.query, role: "user", text, session } });
    note({ step: "learning" });
    await call("GET /v1/agents/{agent}/learning", { path: scope.path, query: { ...scope.query, observation: observations[0]?.id, seconds: 5 } });
    const after = await picture(scope);
    note({ step: "done", learned: told(changeBetween(before, after)), fresh: newIn(before, after) });
  } catch (error) {
    note({ step: "failed", failure: error as Failure });
  }
  await readAgain(queries);
}

function picture(scope: Scope): Promise<Constellation> {
  return call("GET /api/knowledge/constellation", { query: { ...scope.api, ...PICTURE } });
}
