/** Changes, each as an operation: validated, kept in the audit log, and offered to be taken back. */

import { useRef } from "react";
import type { Failure, Reply } from "../../api/client";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { useToasts } from "../../ui/toasts";

export interface Order {
  operation: string;
  payload: Record<string, unknown>;
  reason?: string;
  /** What the message at the edge says; without it, what the server says it did. */
  said?: string;
}

export interface Operations {
  apply: (order: Order) => void;
  busy: boolean;
  failure: Failure | null;
  reset: () => void;
}

/** Carry out operations. A refusal stays in `failure`, to be shown where it belongs. */
export function useOperations(done?: (reply: Reply<"POST /api/ontology/operations/apply">) => void): Operations {
  const scope = useScope();
  const toasts = useToasts();
  // Kept beside the call: what asked for a change may be gone from the page by the time it is done.
  const said = useRef<string | undefined>(undefined);
  const change = useChange("POST /api/ontology/operations/apply", (reply) => {
    toasts.done(said.current ?? outcome(reply.result), reply.proposal?.audit);
    done?.(reply);
  });
  const apply = (order: Order) => {
    said.current = order.said;
    change.mutate({ body: { ...scope.api, operation: order.operation, payload: order.payload, reason: order.reason?.trim() || null } });
  };
  return { apply, busy: change.isPending, failure: change.error, reset: change.reset };
}

/** What an operation came to, in words. */
function outcome(result: Record<string, unknown> | null): string {
  const warnings = Array.isArray(result?.warnings) ? result.warnings : [];
  return [result?.summary ?? "Done.", ...warnings].map(String).join(" ");
}

/** Whether a refusal is one that force overcomes. */
export function yieldsToForce(failure: Failure | null): boolean {
  return failure?.status === 409 && (failure.code === "slot_constrained" || failure.message.includes("by force"));
}
