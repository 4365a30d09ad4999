/** The other names of an entity, each to be taken away, and a field for one more. */

import { useState, type FormEvent } from "react";
import { Button, Field } from "../../ui/controls";
import { useOperations } from "./operations";
import { Refusal } from "./refusals";
import type { Entity } from "./replies";

export function Aliases({ entity, names }: { entity: Entity; names: readonly string[] }) {
  const [adding, setAdding] = useState(false);
  const [alias, setAlias] = useState("");
  const close = () => {
    setAdding(false);
    setAlias("");
    reset();
  };
  const { apply, busy, failure, reset } = useOperations(() => close());
  const others = names.filter((each) => each !== entity.name);
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    apply({ operation: "add_alias", payload: { entity: entity.id, alias: alias.trim() } });
  };
  return (
    <div className="entities-aliases">
      {others.map((each) => (
        <span key={each} className="badge">
          {each}
          <button
            type="button"
            aria-label={`Remove the name ${each}`}
            title="Remove this name"
            disabled={busy}
            onClick={() => apply({ operation: "remove_alias", payload: { entity: entity.id, alias: each } })}
          >
            ×
          </button>
        </span>
      ))}
      {!adding && (
        <Button look="quiet" className="entities-small" onClick={() => setAdding(true)} aria-label="Add a name">
          + name
        </Button>
      )}
      {adding && (
        <form onSubmit={submitted}>
          <Field label="Another name" bare autoFocus required placeholder="Another name" value={alias} onChange={(event) => setAlias(event.target.value)} />
          <Button type="submit" busy={busy}>
            Add
          </Button>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
        </form>
      )}
      {failure && <Refusal>{failure.message}</Refusal>}
    </div>
  );
}
