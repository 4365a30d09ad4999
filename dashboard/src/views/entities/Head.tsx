/** The head of an entity page: its facts, the moment it is looked at, and what can be done with it. */

import { useState } from "react";
import { setParameter } from "../../app/routes";
import { Badge, Button, Field, Meter } from "../../ui/controls";
import { Fact } from "../../ui/facts";
import { Icon } from "../../ui/icons";
import { Kind } from "../../ui/kinds";
import { Time } from "../../ui/times";
import { Aliases } from "./Aliases";
import { ArchiveDialog } from "./ArchiveDialog";
import { EditDialog } from "./EditDialog";
import { MergeDialog } from "./MergeDialog";
import { dayHere } from "./moments";
import { useOperations } from "./operations";
import { Refusal } from "./refusals";
import { plain, type Entity } from "./replies";
import type { Shown } from "./shown";

export function Facts({ shown }: { shown: Shown }) {
  const { entity } = shown;
  const percent = Math.round(entity.confidence * 100);
  return (
    <dl className="entities-facts">
      <Fact name="Kind">
        <Kind of={plain(entity.entityType)} />
        {entity.pinned && <Badge tone="accent">pinned</Badge>}
      </Fact>
      <Fact name="Confidence">
        <Meter value={entity.confidence} label="Confidence" /> {percent} %
      </Fact>
      {entity.mentions !== null && <Fact name="Mentions">{entity.mentions}</Fact>}
      <Fact name="First seen">
        <Time at={entity.createdAt} look="day" />
      </Fact>
      <Fact name={shown.asOf ? "Last changed" : "Last mentioned"}>
        <Time at={shown.asOf ? entity.updatedAt : entity.lastMentionedAt} look="day" />
      </Fact>
      {entity.aliases && (
        <Fact name="Also called">
          <Aliases entity={entity} names={entity.aliases} />
        </Fact>
      )}
      {Object.entries(entity.properties).map(([name, value]) => (
        <Fact key={name} name={plain(name)}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

export function AsOf({ asOf }: { asOf: string | null }) {
  return (
    <Field
      label="As of"
      type="date"
      max={dayHere(new Date())}
      value={asOf ? dayHere(asOf) : ""}
      onChange={(event) => setParameter("as_of", event.target.value || null)}
    />
  );
}

type Open = "edit" | "merge" | "archive" | null;

export function Actions({ entity }: { entity: Entity }) {
  const [open, setOpen] = useState<Open>(null);
  const pin = useOperations();
  const close = () => setOpen(null);
  const toggle = () => pin.apply({ operation: entity.pinned ? "unpin_entity" : "pin_entity", payload: { entity: entity.id } });
  return (
    <div className="entities-actions">
      <Button onClick={toggle} busy={pin.busy} aria-pressed={entity.pinned}>
        <Icon name="pin" size={15} /> {entity.pinned ? "Unpin" : "Pin"}
      </Button>
      <Button onClick={() => setOpen("edit")}>Edit …</Button>
      <Button onClick={() => setOpen("merge")}>Merge …</Button>
      <Button look="danger" onClick={() => setOpen("archive")}>
        Archive …
      </Button>
      {pin.failure && <Refusal>{pin.failure.message}</Refusal>}
      {open === "edit" && <EditDialog entity={entity} close={close} />}
      {open === "merge" && <MergeDialog entity={entity} close={close} />}
      {open === "archive" && <ArchiveDialog entity={entity} close={close} />}
    </div>
  );
}
