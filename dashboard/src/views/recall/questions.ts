/** A question to the lab: it stands in the address, and the last ones of this tab are kept. */

import { useState } from "react";
import type { Rerank } from "../../api/contracts";
import { to, useRoute } from "../../app/routes";

export const KINDS = ["turn", "memory", "claim", "link", "document", "summary"] as const;
export type HitKind = (typeof KINDS)[number];

export const RERANKS = ["off", "fast", "best"] as const satisfies readonly Rerank[];

export const BUDGET = 2000;
export const LIMIT = 10;

export interface Question {
  q: string;
  /** The session it is asked in, whose last turns are replayed. */
  session: string;
  budget: number;
  limit: number;
  /** Whether the best hits are read once more; the server's choice when empty. */
  rerank: Rerank | "";
  /** Only hits of these kinds; all but summaries when empty. */
  kinds: HitKind[];
  /** Only hits that were said in this session. */
  within: string;
  /** Days, as date fields hold them. */
  asOf: string;
  since: string;
  until: string;
}

/** The question in the address. */
export function useQuestion(): Question {
  const { query } = useRoute();
  const said = (name: string) => query.get(name) ?? "";
  return {
    q: said("q"),
    session: said("session"),
    budget: Number(said("budget")) || BUDGET,
    limit: Number(said("limit")) || LIMIT,
    rerank: RERANKS.find((each) => each === said("rerank")) ?? "",
    kinds: KINDS.filter((kind) => said("kinds").split(",").includes(kind)),
    within: said("within"),
    asOf: said("as_of"),
    since: said("since"),
    until: said("until"),
  };
}

/** The address that asks a question; what is as usual is left out of it. */
export function addressOf(question: Question): string {
  return to("recall", null, {
    q: question.q,
    session: question.session,
    budget: question.budget === BUDGET ? null : String(question.budget),
    limit: question.limit === LIMIT ? null : String(question.limit),
    rerank: question.rerank,
    kinds: question.kinds.join(","),
    within: question.within,
    as_of: question.asOf,
    since: question.since,
    until: question.until,
  });
}

const KEPT = "nacre.questions";
const MANY = 8;

/** The last questions of this tab, the newest first, and a way to keep another. */
export function useLastQuestions(): [string[], (q: string) => void] {
  const [last, setLast] = useState<string[]>(() => JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[]);
  const keep = (q: string) =>
    setLast((before) => {
      const now = [q, ...before.filter((each) => each !== q)].slice(0, MANY);
      sessionStorage.setItem(KEPT, JSON.stringify(now));
      return now;
    });
  return [last, keep];
}
