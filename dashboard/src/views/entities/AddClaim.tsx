/** State something about an entity, beside what is believed already. */

import { useId, useState } from "react";
import { Choice, Field } from "../../ui/controls";
import { dayStart } from "../../ui/days";
import { Dialog } from "../../ui/dialogs";
import { useOperations } from "./operations";
import { Reason } from "./Reason";
import type { Entity } from "./replies";

export function AddClaim({ entity, aspects, close }: { entity: Entity; aspects: readonly string[]; close: () => void }) {
  const known = useId();
  const [claim, setClaim] = useState({ aspect: "", group: "", claim: "", value: "", kind: "attribute", since: "", reason: "" });
  const set = (name: keyof typeof claim) => (event: { target: { value: string } }) => setClaim({ ...claim, [name]: event.target.value });
  const { apply, busy, failure } = useOperations(close);
  const submit = () =>
    apply({
      operation: "add_claim_value",
      payload: {
        entity: entity.id,
        aspect: claim.aspect.trim(),
        group: claim.group.trim() || null,
        claim: claim.claim.trim(),
        value: claim.value.trim(),
        kind: claim.kind,
        valid_from: dayStart(claim.since),
      },
      reason: claim.reason,
    });
  return (
    <Dialog title={`Add a claim about ${entity.name}`} close={close} confirm="Add" busy={busy} failure={failure} submit={submit}>
      <div className="entities-fields">
        <Field label="Aspect" required list={known} placeholder="work" value={claim.aspect} onChange={set("aspect")} />
        <Field label="Group" placeholder="general" value={claim.group} onChange={set("group")} />
        <Field label="Claim" required placeholder="job_title" value={claim.claim} onChange={set("claim")} />
      </div>
      <datalist id={known}>
        {aspects.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <label className="field">
        <span className="label">Value</span>
        <textarea rows={2} required value={claim.value} onChange={set("value")} />
      </label>
      <div className="entities-fields">
        <Choice
          label="It is"
          value={claim.kind}
          options={[
            ["attribute", "a fact, which may change"],
            ["constraint", "a rule, which only gives way to force"],
          ]}
          onChange={set("kind")}
        />
        <Field label="Since" type="date" value={claim.since} onChange={set("since")} />
      </div>
      <Reason value={claim.reason} change={(reason) => setClaim({ ...claim, reason })} />
    </Dialog>
  );
}
