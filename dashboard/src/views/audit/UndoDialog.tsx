/** Take back a change: what goes, and where it cannot go, what must go first. */

import { useState } from "react";
import { useChange, useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { worded } from "../../app/wording";
import { Button } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import type { Naming } from "../review/words";
import { actorOf, standing, toUndo, withItsBatch, type Asked, type Change } from "./records";

interface UndoProps {
  of: Asked;
  log: readonly Change[];
  naming: Naming;
  close: () => void;
}

export function UndoDialog({ of, log, naming, close }: UndoProps) {
  const scope = useScope();
  const toasts = useToasts();
  const [asked, setAsked] = useState(of);
  const undo = useChange("POST /v1/agents/{agent}/undo", ({ summary, record }) => {
    toasts.done(summary, record?.id);
    close();
  });
  const { operation } = asked;
  const found = useRead("GET /v1/agents/{agent}/audit/{operation}", { path: { ...scope.path, operation }, query: { ...scope.query, limit: 100 } });
  // A step back to an earlier undo names only itself: what it is about is told instead.
  const records = found.data?.records.some((each) => each.undoes) ? asked.changes : (found.data?.records ?? asked.changes);
  const gone = records.filter((each) => standing(each, log).holds);
  const later = found.data?.later ?? [];
  const submit = () => undo.mutate({ path: scope.path, body: { operation, ...scope.query } });
  const instead = (change: Change) => {
    undo.reset();
    setAsked({ changes: [change], operation: toUndo([change], log) });
  };
  return (
    <Dialog title="Take this back?" close={close} confirm="Take it back" busy={undo.isPending || later.length > 0} failure={undo.error} submit={submit}>
      <p>{gone.length === 1 ? "This change goes out of force:" : `These ${gone.length} changes go out of force, all or none:`}</p>
      <ul className="audit-gone">
        {gone.map((change) => (
          <li key={change.id}>{worded(change.operation, change.payload, naming)}</li>
        ))}
      </ul>
      {(found.data?.operations ?? 0) > 100 && <p>and {(found.data?.operations ?? 0) - 100} more</p>}
      <p className="audit-note">
        {found.data && `${found.data.rows} ${found.data.rows === 1 ? "row is" : "rows are"} put back. `}
        {withItsBatch(asked.changes[0]) && "What was learned from a memory goes with it. "}
        What was there before comes back. The log keeps both, and this can be undone as well.
      </p>
      {later.length > 0 && <Later of={later} naming={naming} instead={instead} />}
    </Dialog>
  );
}

/** What stands in the way: later changes that rest on this one. */
function Later({ of, naming, instead }: { of: readonly Change[]; naming: Naming; instead: (change: Change) => void }) {
  return (
    <div role="alert" className="audit-refused">
      <p>It cannot be taken back yet: later changes rest on it. Take these back first, the last one first.</p>
      <ul>
        {of.toReversed().map((change) => (
          <li key={change.id}>
            <span>
              {worded(change.operation, change.payload, naming)}{" "}
              <small>
                by {actorOf(change.actor)}, <Time at={change.at} />
              </small>
            </span>
            <Button onClick={() => instead(change)}>This one first</Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
