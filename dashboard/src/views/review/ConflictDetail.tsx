/** Proposals that exclude each other, side by side: accepting one decides on all. */

import { useState } from "react";
import type { ConflictReply, ProposalReply } from "../../api/contracts";
import { useKeys } from "../../app/keys";
import { to } from "../../app/routes";
import { Button, Key } from "../../ui/controls";
import type { Decisions } from "./decisions";
import { EditForm } from "./EditForm";
import { Evidence } from "./Evidence";
import { useFacts, useTrial } from "./facts";
import { useNames } from "./names";
import { Action, Origin, Part, Raw, Risks } from "./parts";
import type { ConflictItem } from "./queue";
import { RejectDialog } from "./RejectDialog";
import { risksOf } from "./risks";
import { claimOf, quoted, sentence } from "./words";

/** The claim that a conflict is about. */
function claimed({ entity, claimKey, groupKey }: Pick<ConflictReply, "entity" | "claimKey" | "groupKey">): string {
  return `${entity}’s ${claimOf({ claim: claimKey, group: groupKey })}`;
}

/** What a conflict asks, in words. */
export function conflictWords({ values, ...conflict }: ConflictReply): string {
  return `What is ${claimed(conflict)}: ${values.map((each) => quoted(each.value, 40)).join(" or ")}?`;
}

export function ConflictDetail({ item, decisions }: { item: ConflictItem; decisions: Decisions }) {
  const { conflict, proposals } = item;
  const [place, setPlace] = useState(() => surest(proposals));
  const [keepOthers, setKeepOthers] = useState(conflict.cardinality === "multi");
  const [doing, setDoing] = useState<"nothing" | "editing" | "rejecting">("nothing");
  const naming = useNames(proposals.map((each) => each.payload));
  const chosen = proposals[place] ?? proposals[0];
  if (!chosen) return null;
  const value = (proposal: ProposalReply) => String(proposal.payload["value"]);
  const accept = (said = value(chosen)) => {
    const others = keepOthers ? [] : proposals.filter((each) => each !== chosen);
    decisions.acceptRival(chosen, others, sentence(chosen.operation, { ...chosen.payload, value: said }, naming), said);
  };
  const rest = () => setDoing("nothing");
  return (
    <>
      <Keys count={proposals.length} choose={setPlace} accept={() => accept()} reject={() => setDoing("rejecting")} edit={() => setDoing("editing")} />
      <h2>{conflictWords(conflict)}</h2>
      <p className="review-soft">
        {keepOthers
          ? "This claim may hold several values at once, so one can be accepted and the others left waiting."
          : "Only one of these can hold. Accepting one rejects the others, with the reason."}{" "}
        {conflict.entityId && <a href={to("entities", conflict.entityId)}>Open {conflict.entity}</a>}
      </p>
      {doing === "editing" ? (
        <EditForm
          key={chosen.id}
          proposal={chosen}
          naming={naming}
          save={(edit) => decisions.save(chosen, edit)}
          saved={(accepted, payload) => {
            rest();
            if (accepted) accept(String(payload["value"]));
          }}
          cancel={rest}
        />
      ) : (
        <div className="review-actions">
          <Action look="primary" at="a" busy={decisions.busy} onClick={() => accept()}>
            Accept {quoted(value(chosen), 24)}
          </Action>
          <Action look="danger" at="r" busy={decisions.busy} onClick={() => setDoing("rejecting")}>
            Reject all
          </Action>
          <Action at="e" busy={decisions.busy} onClick={() => setDoing("editing")}>
            Edit
          </Action>
          <label className="review-flag">
            <input type="checkbox" checked={!keepOthers} onChange={(event) => setKeepOthers(!event.target.checked)} /> Reject the others
          </label>
        </div>
      )}
      <div className="review-sides">
        {proposals.map((proposal, at) => (
          <Rival key={proposal.id} proposal={proposal} place={at + 1} chosen={proposal === chosen} choose={() => setPlace(at)} />
        ))}
      </div>
      {doing === "rejecting" && (
        <RejectDialog what={conflictWords(conflict)} close={rest} reject={(reason) => decisions.reject(proposals, reason, `all values for ${claimed(conflict)}`)} />
      )}
    </>
  );
}

function surest(proposals: readonly ProposalReply[]): number {
  const sure = proposals.map((each) => each.confidence ?? 0);
  return sure.indexOf(Math.max(...sure));
}

interface KeysProps {
  count: number;
  choose: (place: number) => void;
  accept: () => void;
  reject: () => void;
  edit: () => void;
}

function Keys({ count, choose, accept, reject, edit }: KeysProps) {
  const places = Object.fromEntries(Array.from({ length: Math.min(count, 9) }, (_, at) => [String(at + 1), () => choose(at)]));
  useKeys({ ...places, a: accept, r: reject, e: edit });
  return null;
}

interface RivalProps {
  proposal: ProposalReply;
  place: number;
  chosen: boolean;
  choose: () => void;
}

function Rival({ proposal, place, chosen, choose }: RivalProps) {
  const facts = useFacts(proposal.operation, proposal.payload);
  const trial = useTrial(proposal.operation, proposal.payload);
  const now = facts.values.map((each) => each.content).join(" · ");
  return (
    <section className="review-side" data-survives={chosen || undefined} aria-label={`Value ${place}`}>
      <header>
        <h3 className="review-value">{String(proposal.payload["value"])}</h3>
        <Button look={chosen ? "primary" : "plain"} aria-pressed={chosen} aria-keyshortcuts={String(place)} onClick={choose}>
          {chosen ? "Chosen" : "Choose"}
          <span aria-hidden="true" className="review-key">
            <Key>{place}</Key>
          </span>
        </Button>
      </header>
      <p className="review-soft">{now ? `Now: ${now}` : facts.known ? "Nothing is believed about it yet." : "Now: …"}</p>
      <Risks risks={risksOf(proposal, facts, trial)} />
      <Part title="Evidence" label={`Evidence for value ${place}`}>
        <Evidence proposal={proposal.id} />
      </Part>
      <Origin proposal={proposal} />
      <Raw operation={proposal.operation} payload={proposal.payload} />
    </section>
  );
}
