/** Asking: the hits and the context of one question, and how long each took. */

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call, type Failure, type Operation, type Input, type Reply } from "../../api/client";
import { useScope, type Scope } from "../../app/scopes";
import { dayEnd, dayStart } from "../../ui/days";
import type { Question } from "./questions";

export type Recalled = Reply<"POST /v1/agents/{agent}/recall">;
export type Hit = Recalled["hits"][number];
export type Context = Reply<"POST /v1/agents/{agent}/context">;

/** Where it is less likely than this that anything is known, hits are no more than the nearest there is. */
const UNLIKELY = 0.1;

/** Whether it is unlikely that anything is known of what was asked. */
export function isUnrelated(recalled: Recalled): boolean {
  return recalled.related < UNLIKELY;
}

export interface Answer {
  question: Question;
  recalled: Recalled;
  context: Context;
  /** Milliseconds from the call to its reply. */
  took: { recall: number; context: number };
}

interface Asking {
  answer: Answer | null;
  failure: Failure | null;
  pending: boolean;
  ask: (question: Question) => void;
}

/** Asked by hand, never read again by itself: asking in a session notes what it was shown. */
export function useAsking(): Asking {
  const scope = useScope();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const last = useRef<Question | null>(null);
  const asking = useMutation<Answer, Failure, Question>({
    mutationFn: (question) => answered(scope, question),
    onMutate: (question) => void (last.current = question),
    onSuccess: (reply) => {
      if (reply.question === last.current) setAnswer(reply);
    },
  });
  return { answer, failure: asking.error, pending: asking.isPending, ask: asking.mutate };
}

/** One call after the other, so that neither makes the other slow. */
async function answered(scope: Scope, question: Question): Promise<Answer> {
  const [recalled, recall] = await timed("POST /v1/agents/{agent}/recall", { path: scope.path, body: recallBody(scope, question) });
  const body = { ...scope.query, message: question.q, session: question.session || null, budget: question.budget };
  const [context, took] = await timed("POST /v1/agents/{agent}/context", { path: scope.path, body });
  return { question, recalled, context, took: { recall, context: took } };
}

function recallBody(scope: Scope, question: Question): Input<"POST /v1/agents/{agent}/recall">["body"] {
  return {
    ...scope.query,
    query: question.q,
    limit: question.limit,
    kinds: question.kinds.length ? question.kinds : null,
    session: question.within || null,
    as_of: dayEnd(question.asOf),
    since: dayStart(question.since),
    until: dayEnd(question.until),
    explain: true,
    rerank: question.rerank || null,
  };
}

async function timed<K extends Operation>(operation: K, input: Input<K>): Promise<[Reply<K>, number]> {
  const began = performance.now();
  const reply = await call(operation, input);
  return [reply, performance.now() - began];
}
