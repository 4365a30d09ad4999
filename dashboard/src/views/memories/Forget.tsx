/** Forgetting, after a question: out of force, which can be taken back, or deleted for good, which cannot. */

import { useState } from "react";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Dialog } from "../../ui/dialogs";
import { useToasts } from "../../ui/toasts";
import { useSaying, type Memory } from "./changes";
import { unfold } from "./filters";

export function Forget({ memory, purge, close }: { memory: Memory; purge: boolean; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const say = useSaying();
  const [sure, setSure] = useState(false);
  const forget = useChange("POST /v1/agents/{agent}/forget", () => {
    unfold(null);
    if (purge) toasts.done("Deleted for good.");
    else say(memory.id, "Forgotten.");
  });
  const submit = () => {
    if (!purge || sure) forget.mutate({ path: scope.path, body: { ...scope.query, memory: memory.id, purge } });
  };
  return (
    <Dialog
      title={purge ? "Delete this memory for good?" : "Forget this memory?"}
      close={close}
      confirm={purge ? "Delete for good" : "Forget"}
      look="danger"
      busy={forget.isPending}
      failure={forget.error}
      submit={submit}
    >
      <blockquote className="memories-quote">{memory.content}</blockquote>
      {purge ? (
        <>
          <p>
            The memory, its evidence, its history and what was learned from it alone are removed from the database. Nobody can bring them back, and what
            was known at earlier times will no longer show them.
          </p>
          <label className="memories-check">
            <input type="checkbox" required checked={sure} onChange={(event) => setSure(event.target.checked)} />I know that this is final
          </label>
        </>
      ) : (
        <p>It goes out of force with what was learned from it alone. Its history stays, and you can take this back.</p>
      )}
    </Dialog>
  );
}
