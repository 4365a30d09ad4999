/** One claim: what it says now, and unfolded what it said before and on what evidence. */

import { useId, useState, type ReactNode } from "react";
import { Badge, Button, Meter } from "../../ui/controls";
import { Time } from "../../ui/times";
import { ClaimEditor } from "./ClaimEditor";
import { EndDialog, type Ending } from "./EndDialog";
import { useOperations } from "./operations";
import { Quote } from "./Quote";
import { Refusal } from "./refusals";
import { plain, type Claim, type Version } from "./replies";
import type { Shown } from "./shown";

export interface Place {
  claim: Claim;
  aspect: string;
  group: string;
  shown: Shown;
}

export function ClaimRow(place: Place) {
  const { claim, shown } = place;
  const [open, setOpen] = useState(false);
  const history = useId();
  const held = claim.versions.filter((version) => version.holds);
  const hidden = shown.asOf ? 0 : claim.total - claim.versions.length;
  const earlier = claim.versions.length - held.length + hidden;
  const quotes = held.filter((version) => version.citation).length;
  const unfold = (
    <button type="button" className="entities-unfold" aria-expanded={open} aria-controls={history} onClick={() => setOpen(!open)}>
      {open ? "▾" : "▸"} {summed(earlier, quotes)}
    </button>
  );
  return (
    <article className="entities-claim" aria-label={claim.path}>
      <div className="entities-key" title={claim.path}>
        {plain(claim.claimKey ?? "note")}
      </div>
      <div className="entities-values">
        {held.map((version, at) => (
          <Value key={version.attribute.id} version={version} several={held.length > 1} place={place}>
            {at === held.length - 1 && unfold}
          </Value>
        ))}
        {!held.length && (
          <div className="entities-about">
            <span>{shown.asOf ? "Nothing held then" : "Nothing holds any more"}</span>
            {unfold}
          </div>
        )}
        {open && (
          <ol id={history} className="entities-history" aria-label={`History of ${claim.path}`}>
            {claim.versions.map((version) => (
              <Past key={version.attribute.id} version={version} shown={shown} />
            ))}
            {hidden > 0 && <li className="entities-why">{hidden} more that are older.</li>}
          </ol>
        )}
      </div>
    </article>
  );
}

function summed(earlier: number, quotes: number): string {
  const before = earlier === 0 ? "never changed" : earlier === 1 ? "1 earlier version" : `${earlier} earlier versions`;
  return quotes ? `${before} · evidence` : before;
}

interface ValueProps {
  version: Version;
  several: boolean;
  place: Place;
  children: ReactNode;
}

function Value({ version: { attribute }, several, place, children }: ValueProps) {
  const [mode, setMode] = useState<"edit" | "end" | null>(null);
  const { fixed } = place.shown;
  if (mode === "edit") return <ClaimEditor attribute={attribute} several={several} place={place} close={() => setMode(null)} />;
  return (
    <div className="entities-value">
      <div className="entities-says">
        <p>{attribute.content}</p>
        {!fixed && (
          <>
            <Button look="quiet" className="entities-small" onClick={() => setMode("edit")} aria-label={`Correct ${place.claim.path}`}>
              Correct
            </Button>
            <Button look="quiet" className="entities-small" onClick={() => setMode("end")} aria-label={`Retract ${place.claim.path}`}>
              Retract
            </Button>
          </>
        )}
      </div>
      <div className="entities-about">
        {attribute.kind === "constraint" && (
          <Badge tone="warn" title="A rule: it only gives way to force">
            constraint
          </Badge>
        )}
        <Meter value={attribute.confidence} label="Confidence" />
        <Validity from={attribute.validFrom ?? attribute.createdAt} until={attribute.validUntil} />
        {children}
      </div>
      {mode === "end" && <EndDialog ending={retracting(attribute, place)} close={() => setMode(null)} />}
    </div>
  );
}

function retracting(attribute: Version["attribute"], { claim, aspect, group, shown }: Place): Ending {
  const stated = { entity: shown.entity.id, aspect, group, ...(claim.claimKey ? { claim: claim.claimKey } : {}), value: attribute.content };
  return {
    what: `${claim.path}: ${attribute.content}`,
    // Words alone never end a rule; only taking it out by force does.
    ended:
      attribute.kind === "constraint"
        ? null
        : (until) => ({
            operation: "record_claim",
            payload: { ...stated, retracted: true, valid_from: until },
            said: `${claim.path} no longer says ${attribute.content}.`,
          }),
    wrong: (force) => ({ operation: "archive_claim_value", payload: { attribute_id: attribute.id, force } }),
  };
}

/** From when to when something holds. */
export function Validity({ from, until }: { from: string | null; until: string | null }) {
  if (!from && !until) return null;
  return (
    <span className="entities-validity">
      {from && (
        <>
          {until ? "from" : "since"} <Time at={from} look="day" />
        </>
      )}
      {until && (
        <>
          {" "}
          until <Time at={until} look="day" />
        </>
      )}
    </span>
  );
}

/** A version in the history: what it said, when, why, who decided, and where it is from. */
function Past({ version: { attribute, holds, citation }, shown }: { version: Version; shown: Shown }) {
  const { apply, busy, failure } = useOperations();
  const gone = attribute.status === "deleted";
  return (
    <li className={holds ? "holds" : ""}>
      <div className="entities-past">
        <p>{attribute.content}</p>
        <Badge tone={holds ? "good" : "plain"}>{holds ? (shown.asOf ? "held then" : "holds") : gone ? "taken out" : attribute.status}</Badge>
        {!holds && !shown.fixed && (
          <Button
            look="quiet"
            className="entities-small"
            busy={busy}
            aria-label={`Restore ${attribute.content}`}
            onClick={() => apply({ operation: "restore_claim_version", payload: { attribute_id: attribute.id } })}
          >
            Restore
          </Button>
        )}
      </div>
      <div className="entities-about">
        <Badge>v{attribute.version}</Badge>
        {attribute.kind === "constraint" && <Badge tone="warn">constraint</Badge>}
        <Validity from={attribute.validFrom ?? attribute.createdAt} until={attribute.validUntil} />
        <span>
          by {attribute.createdBy}, learned <Time at={attribute.createdAt} look="day" />
        </span>
      </div>
      {attribute.decision && <p className="entities-why">{attribute.decision}</p>}
      {gone && attribute.archivedAt && (
        <p className="entities-why">
          Taken out <Time at={attribute.archivedAt} look="day" /> by {attribute.archivedBy ?? "nobody named"}
          {attribute.archiveReason && `: ${attribute.archiveReason}`}
        </p>
      )}
      {citation && <Quote of={citation} />}
      {failure && <Refusal>{failure.message}</Refusal>}
    </li>
  );
}
