/** Several proposals at once. */

import { useState } from "react";
import { useKeys } from "../../app/keys";
import type { Decisions } from "./decisions";
import { Action, Part } from "./parts";
import type { ProposalItem } from "./queue";
import { RejectDialog } from "./RejectDialog";
import { sentence, several, type Naming } from "./words";

interface BulkProps {
  items: readonly ProposalItem[];
  naming: Naming;
  decisions: Decisions;
  clear: () => void;
}

export function Bulk({ items, naming, decisions, clear }: BulkProps) {
  const [rejecting, setRejecting] = useState(false);
  const proposals = items.map((item) => item.proposal);
  const what = several(items.length, "proposal");
  const accept = () => decisions.accept(proposals, what);
  useKeys({ a: accept, r: () => setRejecting(true), Escape: clear });
  return (
    <>
      <h2>{what} selected</h2>
      <div className="review-actions">
        <Action look="primary" at="a" busy={decisions.busy} onClick={accept}>
          Accept {items.length === 1 ? "it" : `all ${items.length}`}
        </Action>
        <Action look="danger" at="r" busy={decisions.busy} onClick={() => setRejecting(true)}>
          Reject {items.length === 1 ? "it" : `all ${items.length}`}
        </Action>
        <Action look="quiet" at="Esc" onClick={clear}>
          Clear
        </Action>
      </div>
      <Part title="What would be decided">
        <ul className="review-bulk">
          {proposals.map((each) => (
            <li key={each.id}>{sentence(each.operation, each.payload, naming)}</li>
          ))}
        </ul>
      </Part>
      {rejecting && <RejectDialog what={what} close={() => setRejecting(false)} reject={(reason) => decisions.reject(proposals, reason, what)} />}
    </>
  );
}
