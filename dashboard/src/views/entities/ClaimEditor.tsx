/** Correct a value where it stands. What it said before stays in its history. */

import { useState, type FormEvent } from "react";
import { Button } from "../../ui/controls";
import type { Place } from "./ClaimRow";
import { useOperations, yieldsToForce } from "./operations";
import { Reason } from "./Reason";
import { Force, Refusal } from "./refusals";
import type { Version } from "./replies";

interface EditorProps {
  attribute: Version["attribute"];
  /** The claim has other values, which stay. */
  several: boolean;
  place: Place;
  close: () => void;
}

export function ClaimEditor({ attribute, several, place: { claim, aspect, group, shown }, close }: EditorProps) {
  const [value, setValue] = useState(attribute.content);
  const [reason, setReason] = useState("");
  const [force, setForce] = useState(false);
  const { apply, busy, failure } = useOperations(close);
  const changed = value.trim() !== "" && value.trim() !== attribute.content;
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    if (several) {
      apply({ operation: "supersede_claim_value", payload: { attribute_id: attribute.id, new_value: value.trim(), force }, reason });
      return;
    }
    const slot = { aspect, group, ...(claim.claimKey ? { claim: claim.claimKey } : {}) };
    apply({ operation: "set_claim_value", payload: { entity: shown.entity.id, ...slot, value: value.trim(), kind: attribute.kind, force }, reason });
  };
  return (
    <form className="entities-editor" onSubmit={submitted} onKeyDown={(event) => event.key === "Escape" && close()}>
      <label className="field">
        <span className="label">New value of {claim.path}</span>
        <textarea autoFocus required rows={value.length > 80 ? 4 : 1} value={value} onChange={(event) => setValue(event.target.value)} />
      </label>
      <Reason value={reason} change={setReason} />
      {failure && <Refusal>{failure.message}</Refusal>}
      {yieldsToForce(failure) && (
        <Force chosen={force} choose={setForce}>
          A constraint is a rule that somebody set on purpose. Replace it all the same.
        </Force>
      )}
      <div className="entities-buttons">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" look={force ? "danger" : "primary"} busy={busy} disabled={!changed}>
          {force ? "Replace the constraint" : "Save"}
        </Button>
      </div>
    </form>
  );
}
