/** Make an entity part of another: choose which, see what would move, and say yes. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { go, to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { TypeAhead } from "../../app/Search";
import { Button } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { Kind } from "../../ui/kinds";
import { useOperations, yieldsToForce } from "./operations";
import { Reason } from "./Reason";
import { Force, Refusal } from "./refusals";
import { plain, type Entity } from "./replies";

interface Target {
  id: string;
  name: string;
  kind: string;
}

export function MergeDialog({ entity, close }: { entity: Entity; close: () => void }) {
  const [text, setText] = useState("");
  const [target, setTarget] = useState<Target | null>(null);
  const [force, setForce] = useState(false);
  const [reason, setReason] = useState("");
  const merge = useOperations(() => {
    close();
    if (target) go(to("entities", target.id));
  });
  const choose = (found: Target | null) => {
    setTarget(found);
    setForce(false);
    merge.reset();
  };
  const submit = () => target && merge.apply({ operation: "merge_entities", payload: { target: target.id, source: entity.id, force }, reason });
  return (
    <Dialog
      title={`Merge ${entity.name} into another`}
      close={close}
      busy={merge.busy}
      failure={merge.failure}
      submit={submit}
      {...(target ? { confirm: "Merge" } : {})}
    >
      <p>For when two names mean the same: all that is known of {entity.name} moves to the other, and its names with it.</p>
      {target ? (
        <div className="entities-chosen">
          <Kind of={plain(target.kind)} />
          <b>{target.name}</b>
          <Button look="quiet" onClick={() => choose(null)}>
            Choose another
          </Button>
        </div>
      ) : (
        <div className="entities-pick">
          <TypeAhead id="merge-target" label="Merge into" text={text} change={setText} chosen={choose} />
        </div>
      )}
      {target && (
        <>
          <Preview key={target.id} entity={entity} target={target} force={force} setForce={setForce} />
          <Reason value={reason} change={setReason} />
        </>
      )}
    </Dialog>
  );
}

interface PreviewProps {
  entity: Entity;
  target: Target;
  force: boolean;
  setForce: (force: boolean) => void;
}

/** What a merge would move, found out by trying it without keeping anything. */
function Preview({ entity, target, force, setForce }: PreviewProps) {
  const scope = useScope();
  const body = { ...scope.api, operation: "merge_entities", dry_run: true };
  const plainly = useRead("POST /api/ontology/operations/apply", { body: { ...body, payload: { target: target.id, source: entity.id } } });
  const resisted = yieldsToForce(plainly.error);
  const forced = useRead(
    "POST /api/ontology/operations/apply",
    { body: { ...body, payload: { target: target.id, source: entity.id, force: true } } },
    { enabled: resisted },
  );
  const result = (resisted ? forced : plainly).data?.result;
  if (plainly.error && !resisted) return <Refusal>{plainly.error.message}</Refusal>;
  return (
    <div className="entities-preview" aria-live="polite">
      {result ? (
        <p>
          <b>{counted(result.claims, "claim")}</b> and <b>{counted(result.links, "link")}</b> move to {target.name}, which will also be called {entity.name}.
        </p>
      ) : (
        <p>Looking at what would move …</p>
      )}
      {resisted && plainly.error && (
        <Force chosen={force} choose={setForce}>
          {plainly.error.message.replace(/\s*(They are|It is) only merged by force\.$/, "")} Merge them all the same.
        </Force>
      )}
    </div>
  );
}

function counted(value: unknown, noun: string): string {
  const count = Number(value) || 0;
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
