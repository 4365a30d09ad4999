/** A proposal, whole: what would change, what it rests on, who wants it, what to mind; and the decision. */

import { useState } from "react";
import type { ProposalReply } from "../../api/contracts";
import { useKeys } from "../../app/keys";
import type { Decisions } from "./decisions";
import { EditForm } from "./EditForm";
import { Evidence } from "./Evidence";
import { useFacts, useTrial, type Facts } from "./facts";
import { useNames } from "./names";
import { Action, Changes, Origin, Part, Raw, Risks } from "./parts";
import { RejectDialog } from "./RejectDialog";
import { risksOf } from "./risks";
import { Sides } from "./Sides";
import { sentence, several, type Payload } from "./words";

export function ProposalDetail({ proposal, decisions }: { proposal: ProposalReply; decisions: Decisions }) {
  const [doing, setDoing] = useState<"nothing" | "editing" | "rejecting">("nothing");
  const naming = useNames([proposal.payload]);
  const facts = useFacts(proposal.operation, proposal.payload);
  const trial = useTrial(proposal.operation, proposal.payload);
  const worded = (payload: Payload) => sentence(proposal.operation, payload, naming);
  const what = worded(proposal.payload);
  const rest = () => setDoing("nothing");
  const accept = () => decisions.accept([proposal], what);
  useKeys({ a: accept, r: () => setDoing("rejecting"), e: () => setDoing("editing") });
  return (
    <>
      <h2>{what}</h2>
      {doing === "editing" ? (
        <EditForm
          proposal={proposal}
          naming={naming}
          save={(edit) => decisions.save(proposal, edit)}
          saved={(accepted, payload) => {
            rest();
            if (accepted) decisions.accept([proposal], worded(payload));
          }}
          cancel={rest}
        />
      ) : (
        <div className="review-actions">
          <Action look="primary" at="a" busy={decisions.busy} onClick={accept}>
            Accept
          </Action>
          <Action at="r" look="danger" busy={decisions.busy} onClick={() => setDoing("rejecting")}>
            Reject
          </Action>
          <Action at="e" busy={decisions.busy} onClick={() => setDoing("editing")}>
            Edit
          </Action>
        </div>
      )}
      <Risks risks={risksOf(proposal, facts, trial)} />
      <div className="review-columns" data-stacked={proposal.operation === "merge_entities" || undefined}>
        <Part title="What would change">
          <Change proposal={proposal} facts={facts} naming={naming} />
          {trial && !trial.refusal && <p className="review-soft">{touched(trial.touches)}</p>}
          <Raw operation={proposal.operation} payload={proposal.payload} />
        </Part>
        <Part title="Evidence">
          <Evidence proposal={proposal.id} />
        </Part>
      </div>
      <Part title="Where it comes from">
        <Origin proposal={proposal} />
      </Part>
      {doing === "rejecting" && <RejectDialog what={what} close={rest} reject={(reason) => decisions.reject([proposal], reason, what)} />}
    </>
  );
}

function Change({ proposal, facts, naming }: { proposal: ProposalReply; facts: Facts; naming: (selector: string) => string }) {
  const { operation, payload } = proposal;
  if (operation !== "merge_entities") return <Changes proposal={proposal} facts={facts} naming={naming} />;
  const [target, source] = [String(payload["target"]), String(payload["source"])];
  return <Sides ids={[target, source]} survivor={target} />;
}

/** How much an operation touches, in words. */
function touched({ entities, links, claims }: { entities: number; links: number; claims: number }): string {
  const parts = [
    entities && several(entities, "entity", "entities"),
    links && several(links, "link"),
    claims && several(claims, "claim"),
  ].filter(Boolean);
  return parts.length ? `Touches ${parts.join(", ")}.` : "";
}
