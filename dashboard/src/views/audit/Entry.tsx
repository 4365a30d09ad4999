/** A change of the log, or several that were done together: what, by whom, and how to take it back. */

import { useId, useState } from "react";
import { to } from "../../app/routes";
import { worded } from "../../app/wording";
import { Badge, Button } from "../../ui/controls";
import { Time } from "../../ui/times";
import type { Naming } from "../review/words";
import { Details } from "./Details";
import { actorOf, entitiesOf, standing, toUndo, type Asked, type Batch, type Change } from "./records";

interface EntryProps {
  of: Batch;
  log: readonly Change[];
  naming: Naming;
  undo: (asked: Asked) => void;
}

/** Changes done together stand under the first of them, and can be taken back together. */
export function Entry({ of, log, naming, undo }: EntryProps) {
  const [open, setOpen] = useState(false);
  const inside = useId();
  if (of.length === 1) return <Row of={of[0]} log={log} naming={naming} undo={undo} />;
  const first = of.at(-1) ?? of[0];
  return (
    <div className="audit-batch">
      <div className="audit-row">
        <Moment at={of[0].at} />
        <div className="audit-what">
          <span>{worded(first.operation, first.payload, naming)}</span>
          <Button look="quiet" className="audit-more" aria-expanded={open} aria-controls={inside} onClick={() => setOpen(!open)}>
            {open ? "Fold" : `and ${of.length - 1} more, done together`}
          </Button>
        </div>
        <span className="audit-actor">{actorOf(first.actor)}</span>
        <div className="audit-does">
          {of.some((each) => standing(each, log).holds) ? (
            <Button onClick={() => undo({ changes: of, operation: toUndo(of, log) })}>Undo all</Button>
          ) : (
            <Badge tone="warn">taken back</Badge>
          )}
        </div>
      </div>
      {open && (
        <ol id={inside} className="audit-inside">
          {of.toReversed().map((change) => (
            <li key={change.id}>
              <Row of={change} log={log} naming={naming} undo={undo} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Row({ of, log, naming, undo }: Omit<EntryProps, "of"> & { of: Change }) {
  const [open, setOpen] = useState(false);
  const inside = useId();
  const entities = entitiesOf(of);
  const { holds } = standing(of, log);
  return (
    <article className={holds ? undefined : "audit-undone"}>
      <div className="audit-row">
        <Moment at={of.at} />
        <div className="audit-what">
          <span>{worded(of.operation, of.payload, naming)}</span>
          {of.reason && <small>{of.reason}</small>}
          {entities.length > 0 && (
            <span className="audit-entities">
              {entities.map((id) => (
                <a key={id} href={to("entities", id)}>
                  {naming(id)}
                </a>
              ))}
            </span>
          )}
        </div>
        <span className="audit-actor">{actorOf(of.actor)}</span>
        <div className="audit-does">
          {holds ? <Button onClick={() => undo({ changes: [of], operation: toUndo([of], log) })}>Undo</Button> : <Badge tone="warn">taken back</Badge>}
          <Button look="quiet" aria-expanded={open} aria-controls={inside} onClick={() => setOpen(!open)}>
            Details
          </Button>
        </div>
      </div>
      {open && (
        <div id={inside}>
          <Details of={of} naming={naming} />
        </div>
      )}
    </article>
  );
}

/** The hour; the day stands above. */
function Moment({ at }: { at: string }) {
  return (
    <span className="audit-at">
      <Time at={at} look="hour" />
    </span>
  );
}
