/** What a person can decide: each decision is one or more calls, a toast with Undo where there is one, and the next item. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, Failure } from "../../api/client";
import type { KgCandidateReply, ProposalReply } from "../../api/contracts";
import { readAgain } from "../../api/queries";
import { useScope, type Scope } from "../../app/scopes";
import { useToasts } from "../../ui/toasts";
import { several, type Payload } from "./words";

export interface Edit {
  payload: Payload;
  confidence: number | null;
  reason: string | null;
}

/** What came of a decision: what to say, and what undoing it takes. */
interface Outcome {
  text: string;
  undo?: readonly string[] | undefined;
}

export interface Decisions {
  busy: boolean;
  accept: (proposals: readonly ProposalReply[], what: string) => void;
  /** Accept one of several that exclude each other; the others are rejected with the reason. */
  acceptRival: (chosen: ProposalReply, others: readonly ProposalReply[], what: string, value: string) => void;
  reject: (proposals: readonly ProposalReply[], reason: string, what: string) => void;
  /** Change a proposal that waits; the promise is the failure, if the server refuses it. */
  save: (proposal: ProposalReply, edit: Edit) => Promise<Failure | null>;
  merge: (target: string, sources: readonly string[], force: boolean, what: string) => void;
  dismiss: (pair: KgCandidateReply) => void;
  carryOut: (operation: string, payload: Payload, what: string) => void;
}

/** Decisions in the scope in view; `decided` is called after each, to go on to what is next. */
export function useDecisions(decided: () => void): Decisions {
  const scope = useScope();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  const run = async (work: () => Promise<Outcome>) => {
    if (busy) return;
    setBusy(true);
    try {
      const { text, undo } = await work();
      toasts.done(text, undo);
      decided();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      toasts.failed(error);
    } finally {
      setBusy(false);
      // Also after a refusal: somebody else may have decided, or the proposal may have failed for good.
      void readAgain(queries);
    }
  };

  return {
    busy,
    accept: (proposals, what) => void run(() => acceptAll(scope, proposals, what)),
    acceptRival: (chosen, others, what, value) =>
      void run(async () => {
        const { audit } = await apply(scope, chosen);
        for (const each of others) await refuse(scope, each, `“${value}” was accepted instead.`);
        const rest = others.length ? ` ${several(others.length, "other was", "others were")} rejected.` : "";
        return { text: `Accepted: ${what}.${rest}`, undo: audit ? [audit] : [] };
      }),
    reject: (proposals, reason, what) =>
      void run(async () => {
        for (const each of proposals) await refuse(scope, each, reason);
        return { text: `Rejected: ${what}.` };
      }),
    save: async (proposal, { payload, confidence, reason }) => {
      try {
        const body = { ...scope.api, payload, confidence, rationale: reason };
        await call("PATCH /api/ontology/proposals/{proposal}", { path: { proposal: proposal.id }, body });
        await readAgain(queries);
        return null;
      } catch (error) {
        if (error instanceof Failure) return error;
        throw error;
      }
    },
    merge: (target, sources, force, what) =>
      void run(async () => {
        const operations = sources.map((source) => ({ operation: "merge_entities", payload: { target, source, force } }));
        const { items } = await call("POST /api/ontology/operations/batch", { body: { ...scope.api, operations } });
        return { text: `${what}.`, undo: items.flatMap((item) => item.proposal?.audit ?? []) };
      }),
    dismiss: (pair) =>
      void run(async () => {
        const input = { path: scope.path, query: scope.graph, body: { candidate_id: pair.id } };
        const { audit } = await call("POST /v1/agents/{agent}/kg/dedup/dismiss", input);
        return { text: `${pair.entity_a.name} and ${pair.entity_b.name} are two things.`, undo: audit ? [audit] : [] };
      }),
    carryOut: (operation, payload, what) =>
      void run(async () => {
        const { proposal } = await call("POST /api/ontology/operations/apply", { body: { ...scope.api, operation, payload } });
        return { text: what, undo: proposal?.audit ? [proposal.audit] : [] };
      }),
  };
}

const apply = (scope: Scope, { id }: ProposalReply) => call("POST /api/ontology/proposals/{proposal}/apply", { path: { proposal: id }, body: scope.api });

const refuse = (scope: Scope, { id }: ProposalReply, reason: string) =>
  call("POST /api/ontology/proposals/{proposal}/reject", { path: { proposal: id }, body: { ...scope.api, ...(reason && { reason }) } });

/** Accept what can be accepted; of several, one that is refused does not keep the rest waiting. */
async function acceptAll(scope: Scope, proposals: readonly ProposalReply[], what: string): Promise<Outcome> {
  const undo: string[] = [];
  let refused: Failure | null = null;
  // The oldest first: a later one may rest on it.
  for (const each of proposals.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id))) {
    try {
      const { audit } = await apply(scope, each);
      if (audit) undo.push(audit);
    } catch (error) {
      if (!(error instanceof Failure) || proposals.length === 1) throw error;
      refused = error;
    }
  }
  if (refused && !undo.length) throw refused;
  const text = refused ? `Accepted ${undo.length} of ${several(proposals.length, "proposal")}. ${refused.message}` : `Accepted: ${what}.`;
  return { text, undo };
}
