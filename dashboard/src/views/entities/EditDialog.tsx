/** Give an entity another name, description or kind. Each that changed is an operation of its own. */

import { useRef, useState } from "react";
import { Choice, Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { useOperations, type Order } from "./operations";
import { Reason } from "./Reason";
import { KINDS, plain, type Entity } from "./replies";

export function EditDialog({ entity, close }: { entity: Entity; close: () => void }) {
  const [name, setName] = useState(entity.name);
  const [description, setDescription] = useState(entity.description ?? "");
  const [kind, setKind] = useState(entity.entityType);
  const [reason, setReason] = useState("");
  const renamed = name.trim() !== entity.name;
  const orders: Order[] = [];
  if (renamed) orders.push({ operation: "rename_entity", payload: { entity: entity.id, new_name: name.trim() }, reason });
  if (kind !== entity.entityType) orders.push({ operation: "retype_entity", payload: { entity: entity.id, type: kind }, reason });
  if (description.trim() !== (entity.description ?? ""))
    orders.push({ operation: "create_entity", payload: { name: name.trim(), slug: entity.slug, description: description.trim() }, reason });
  const left = useRef<Order[]>([]);
  const operations = useOperations(() => proceed());
  const proceed = () => {
    const next = left.current.shift();
    if (next) operations.apply(next);
    else close();
  };
  const submit = () => {
    left.current = orders;
    proceed();
  };
  return (
    <Dialog
      title={`Edit ${entity.name}`}
      close={close}
      confirm="Save"
      busy={operations.busy}
      failure={operations.failure}
      submit={submit}
    >
      <Field label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      {renamed && <p className="entities-hint">The old name stays one of its other names, so it is still found by it.</p>}
      <label className="field">
        <span className="label">Description</span>
        <textarea rows={3} maxLength={2000} required={entity.description !== null} value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      <Choice label="Kind" value={kind} options={KINDS.map((each) => [each, plain(each)])} onChange={(event) => setKind(event.target.value)} />
      <Reason value={reason} change={setReason} />
    </Dialog>
  );
}
