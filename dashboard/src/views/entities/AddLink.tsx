/** Link an entity to another, or to a plain value. */

import { useId, useState } from "react";
import { TypeAhead } from "../../app/Search";
import { Button, Choice, Field } from "../../ui/controls";
import { dayStart } from "../../ui/days";
import { Dialog } from "../../ui/dialogs";
import { useOperations } from "./operations";
import { Reason } from "./Reason";
import type { Entity } from "./replies";

const COMMON = ["works_on", "works_at", "works_with", "manages", "reports_to", "part_of", "member_of", "depends_on", "uses", "located_in", "owns", "knows", "related_to"];

export function AddLink({ entity, close }: { entity: Entity; close: () => void }) {
  const predicates = useId();
  const [text, setText] = useState("");
  const [other, setOther] = useState<{ id: string; name: string } | null>(null);
  const [link, setLink] = useState({ predicate: "", way: "out", since: "", reason: "" });
  const set = (name: keyof typeof link) => (event: { target: { value: string } }) => setLink({ ...link, [name]: event.target.value });
  const { apply, busy, failure } = useOperations(close);
  const submit = () => {
    if (!other) return;
    const [source, target] = link.way === "out" ? [entity.id, other.id] : [other.id, entity.id];
    const reason = link.reason.trim();
    apply({
      operation: "create_link",
      payload: { source, predicate: link.predicate.trim(), target, valid_from: dayStart(link.since), ...(reason ? { reason } : {}) },
      reason,
    });
  };
  return (
    <Dialog title={`Link ${entity.name} to another`} close={close} busy={busy} failure={failure} submit={submit} {...(other ? { confirm: "Add" } : {})}>
      {other ? (
        <div className="entities-chosen">
          <b>{other.name}</b>
          <Button look="quiet" onClick={() => setOther(null)}>
            Choose another
          </Button>
        </div>
      ) : (
        <div className="entities-pick">
          <TypeAhead id="link-target" label="Link to" text={text} change={setText} chosen={setOther} />
        </div>
      )}
      {other && (
        <>
          <Field label="Relation" required list={predicates} placeholder="works_on" value={link.predicate} onChange={set("predicate")} />
          <datalist id={predicates}>
            {COMMON.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          <div className="entities-fields">
            <Choice
              label="Direction"
              value={link.way}
              options={[
                ["out", `${entity.name} → ${other.name}`],
                ["in", `${other.name} → ${entity.name}`],
              ]}
              onChange={set("way")}
            />
            <Field label="Since" type="date" value={link.since} onChange={set("since")} />
          </div>
          <Reason value={link.reason} change={(reason) => setLink({ ...link, reason })} />
        </>
      )}
    </Dialog>
  );
}
