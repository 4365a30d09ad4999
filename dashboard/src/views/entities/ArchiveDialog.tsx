/** Take an entity out of force, with the reason; one that is pinned only after a second yes. */

import { useState } from "react";
import { Dialog } from "../../ui/dialogs";
import { useOperations } from "./operations";
import { Reason } from "./Reason";
import { Force } from "./refusals";
import type { Entity } from "./replies";

export function ArchiveDialog({ entity, close }: { entity: Entity; close: () => void }) {
  const [reason, setReason] = useState("");
  const [force, setForce] = useState(false);
  const { apply, busy, failure } = useOperations(close);
  const submit = () =>
    apply({
      operation: "archive_entity",
      payload: { entity: entity.id, force, ...(reason.trim() ? { reason: reason.trim() } : {}) },
      reason,
    });
  return (
    <Dialog title={`Archive ${entity.name}?`} close={close} confirm="Archive" look="danger" busy={busy} failure={failure} submit={submit}>
      <p>Its claims and links leave with it, and recall no longer finds them. Nothing is deleted: it can be restored at any time.</p>
      <Reason value={reason} change={setReason} />
      {entity.pinned && (
        <Force chosen={force} choose={setForce}>
          {entity.name} is pinned, so somebody wanted to keep it. Archive it all the same.
        </Force>
      )}
    </Dialog>
  );
}
