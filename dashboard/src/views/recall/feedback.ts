/** What the reader thinks of a hit, sent to the agent's feedback and remembered in view. */

import { useState } from "react";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { useToasts } from "../../ui/toasts";
import type { Hit } from "./asking";

export type Mark = "helpful" | "wrong";

interface Marking {
  of: (hit: Hit) => Mark | undefined;
  /** Mark a hit; with what would have been right, the agent learns that instead. */
  mark: (hit: Hit, mark: Mark, right?: string) => void;
  pending: boolean;
}

const MAX_SUBJECT = 2000;

/** Marks on the hits of one question. */
export function useMarks(question: string, session: string): Marking {
  const scope = useScope();
  const toasts = useToasts();
  const [marks, setMarks] = useState<Record<string, Mark>>({});
  const give = useChange("POST /v1/agents/{agent}/feedback");
  const key = (hit: Hit) => `${question}\n${hit.id}`;
  const mark = (hit: Hit, given: Mark, right = "") => {
    const kind = given === "helpful" ? "confirmation" : right ? "correction" : "complaint";
    const detail = right || `Recalled for: ${question}`;
    give.mutate(
      { path: scope.path, body: { ...scope.query, kind, subject: hit.text.slice(0, MAX_SUBJECT), detail, session: session || null } },
      {
        onSuccess: () => {
          setMarks((before) => ({ ...before, [key(hit)]: given }));
          toasts.done(given === "helpful" ? "Marked as helpful." : right ? "Noted what is right." : "Marked as wrong.");
        },
        onError: toasts.failed,
      },
    );
  };
  return { of: (hit) => marks[key(hit)], mark, pending: give.isPending };
}
