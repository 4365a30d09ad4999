/** Ask why, before something is rejected or archived; an answer is welcome and not needed. */

import { useState } from "react";
import { Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";

interface RejectDialogProps {
  what: string;
  verb?: string;
  reject: (reason: string) => void;
  close: () => void;
}

export function RejectDialog({ what, verb = "Reject", reject, close }: RejectDialogProps) {
  const [reason, setReason] = useState("");
  const submit = () => {
    close();
    reject(reason.trim());
  };
  return (
    <Dialog title={verb} confirm={verb} look="danger" close={close} submit={submit}>
      <p>{what}</p>
      <Field label="Why? (optional)" value={reason} maxLength={2000} autoFocus onChange={(event) => setReason(event.target.value)} />
    </Dialog>
  );
}
