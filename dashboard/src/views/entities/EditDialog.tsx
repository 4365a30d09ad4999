/** Give an entity another name, description or kind. Each that changed is an operation of its own. */

import { useState } from "react";
import { Choice, Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { useOperations } from "./operations";
import { Reason } from "./Reason";
import { KINDS, plain, type Entity } from "./replies";

export function EditDialog({ entity, close }: { entity: Entity; close: () => void }) {
  const [name, setName] = useState(entity.name);
  const [description, setDescription] = useState(entity.description ?? "");
  const [kind, setKind] = useState(entity.entityType);
  const [reason, setReason] = useState("");
  const described = description.trim() !== (entity.description ?? "") || kind !== entity.entityType;
  // What the server learns of an entity adds to it: a kind that is known is not given up for another.
  const settled = entity.entityType !== "unknown";
  const renamed = name.trim() !== entity.name;
  const describe = useOperations(close);
  const rename = useOperations(() => (described ? details() : close()));
  const details = () =>
    describe.apply({
      operation: "create_entity",
      payload: { name: name.trim(), slug: entity.slug, type: kind, description: description.trim() || null },
      reason,
    });
  const submit = () => {
    if (renamed) rename.apply({ operation: "rename_entity", payload: { entity: entity.id, new_name: name.trim() }, reason });
    else if (described) details();
    else close();
  };
  return (
    <Dialog
      title={`Edit ${entity.name}`}
      close={close}
      confirm="Save"
      busy={rename.busy || describe.busy}
      failure={rename.failure ?? describe.failure}
      submit={submit}
    >
      <Field label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      {renamed && <p className="entities-hint">The old name stays one of its other names, so it is still found by it.</p>}
      <label className="field">
        <span className="label">Description</span>
        <textarea rows={3} maxLength={2000} required={entity.description !== null} value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      <Choice label="Kind" value={kind} disabled={settled} options={KINDS.map((each) => [each, plain(each)])} onChange={(event) => setKind(event.target.value)} />
      {settled && <p className="entities-hint">A kind that is known stays. If it is wrong, merge this into an entity of the right kind.</p>}
      <Reason value={reason} change={setReason} />
    </Dialog>
  );
}
