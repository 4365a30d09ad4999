/** Loading the demo: its conversations, what followed from them and its documents, each by the call that an agent would make. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, type Failure } from "../../api/client";
import { readAgain, useRead } from "../../api/queries";
import { go, to } from "../../app/routes";

/** The demo has an agent of its own, so that nobody else's memory is mixed with it. */
export const DEMO = "demo";
const ACTOR = "demo";

type Conversation = (typeof import("./history.json"))["conversations"][number];

interface Loading {
  /** From 0 to 1; null while nothing is loaded. */
  share: number | null;
  failure: Failure | null;
  load: () => void;
}

/** The demo's loading. What a caller is bound to decides where it goes. */
export function useDemo(): Loading {
  const queries = useQueryClient();
  const me = useRead("GET /v1/me", {});
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const agent = me.data?.bound_agent ?? DEMO;
  const bound = me.data?.bound_user ?? null;
  const load = async () => {
    setShare(0);
    setFailure(null);
    try {
      const { conversations, documents } = await import("./history.json");
      for (const [at, conversation] of conversations.entries()) {
        await live(agent, bound ?? conversation.user, conversation);
        setShare((at + 1) / (conversations.length + 1));
      }
      const scope = { user: bound };
      for (const document of documents) await call("POST /v1/agents/{agent}/vault/documents", { path: { agent }, body: { ...scope, ...document } });
      await readAgain(queries);
      go(to("", null, { agent, user: bound, chat: null }));
    } catch (error) {
      setFailure(error as Failure);
      setShare(null);
    }
  };
  return { share, failure, load: () => void load() };
}

/** One conversation: who and what it is about, what was said, what follows from it with the words it rests on, and what was kept. */
async function live(agent: string, user: string | null, { session, turns, entities, facts, memories }: Conversation): Promise<void> {
  const [path, graph] = [{ agent }, { agent_id: agent, user_id: user, actor: ACTOR }];
  if (entities.length) await call("POST /api/ontology/operations/batch", { body: { ...graph, operations: entities } });
  const body = { user, turns: turns.map((turn) => ({ ...turn, role: turn.role as "user" | "assistant", session })) };
  const { observations } = await call("POST /v1/agents/{agent}/observe", { path, body });
  const operations = facts.map(({ operation, payload, quote, turn }) => ({
    operation,
    payload,
    evidence: [{ quote, source_id: observations[turn]?.id }],
  }));
  if (operations.length) await call("POST /api/ontology/operations/batch", { body: { ...graph, operations } });
  for (const memory of memories) await call("POST /v1/agents/{agent}/remember", { path, body: { user, ...memory } });
}
