/** Forget a user with an agent, in every chat. The name has to be written out: what is purged is gone. */

import { useState } from "react";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Button, Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { Panel } from "../../ui/pages";
import { useToasts } from "../../ui/toasts";

export function ForgetUser() {
  const scope = useScope();
  const [user, setUser] = useState(scope.user ?? "");
  const [asking, setAsking] = useState(false);
  return (
    <Panel title="Forget a user">
      <p className="settings-note">
        Everything that {scope.agent} keeps of one user, in every chat: what was said, memories, their graph, documents and feedback.
      </p>
      <form
        className="settings-row"
        onSubmit={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      >
        <Field label="User" required value={user} autoComplete="off" onChange={(event) => setUser(event.target.value)} />
        <Button look="danger" type="submit">
          Forget …
        </Button>
      </form>
      {asking && <Confirm user={user.trim()} close={() => setAsking(false)} />}
    </Panel>
  );
}

function Confirm({ user, close }: { user: string; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const [purge, setPurge] = useState(false);
  const [typed, setTyped] = useState("");
  const forget = useChange("DELETE /v1/agents/{agent}/users/{name}", ({ purged, pending: _, ...counts }) => {
    const gone = Object.entries(counts).filter(([, count]) => count);
    const told = gone.map(([name, count]) => `${count} ${name}`).join(", ") || "nothing was known";
    toasts.done(`${user} is forgotten${purged ? " for good" : ""}: ${told}.`);
    close();
  });
  const submit = () => forget.mutate({ path: { ...scope.path, name: user }, query: { purge } });
  return (
    <Dialog title={`Forget ${user}?`} close={close} confirm={purge ? "Remove for good" : "Forget"} look="danger" busy={forget.isPending || typed !== user} failure={forget.error} submit={submit}>
      <p>
        {purge
          ? "All of it is removed from the database, with the words it rests on. Nothing can bring it back."
          : "All of it goes out of force: nothing of it is recalled any more. It stays in the database, where the audit log can bring most of it back."}
      </p>
      <label className="settings-check">
        <input type="checkbox" checked={purge} onChange={(event) => setPurge(event.target.checked)} />
        Remove it for good
      </label>
      <Field label={`Write “${user}” to confirm`} value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
    </Dialog>
  );
}
