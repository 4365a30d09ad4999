/** Small parts that the details of several kinds of item share. */

import type { ReactNode } from "react";
import type { ProposalReply } from "../../api/contracts";
import { Button, Key, Meter } from "../../ui/controls";
import { Time } from "../../ui/times";
import { changes, remarks, type Line } from "./changes";
import type { Facts } from "./facts";
import type { Risk } from "./risks";
import { percent, type Naming } from "./words";

interface ActionProps {
  children: ReactNode;
  /** The key that does the same. */
  at?: string;
  look?: "plain" | "primary" | "danger" | "quiet";
  busy?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

/** A button that shows its key. */
export function Action({ children, at, ...rest }: ActionProps) {
  return (
    <Button aria-keyshortcuts={at} {...rest}>
      {children}
      {at && (
        <span aria-hidden="true" className="review-key">
          <Key>{at}</Key>
        </span>
      )}
    </Button>
  );
}

/** A part of a detail; `label` tells it from others of the same title. */
export function Part({ title, label = title, children }: { title: string; label?: string; children: ReactNode }) {
  return (
    <section className="review-part" aria-label={label}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function Risks({ risks }: { risks: readonly Risk[] }) {
  if (!risks.length) return null;
  return (
    <ul className="review-risks" aria-label="To mind">
      {risks.map(({ tone, text }) => (
        <li key={text} className={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** What is there now and what would be, line by line. */
export function Changes({ proposal, facts, naming }: { proposal: ProposalReply; facts: Facts; naming: Naming }) {
  const lines = changes(proposal.operation, proposal.payload, facts, naming);
  const more = remarks(proposal.payload);
  return (
    <>
      <dl className="review-changes">
        {lines.map((line) => (
          <ChangeLine key={line.label} {...line} />
        ))}
      </dl>
      {more.length > 0 && <p className="review-soft">{more.join(" · ")}</p>}
    </>
  );
}

function ChangeLine({ label, before, after }: Line) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {before === after ? (
          <span>{after}</span>
        ) : (
          <>
            <del aria-label={`Before: ${before ?? "nothing"}`}>{before ?? "nothing yet"}</del>
            <span aria-hidden="true">→</span>
            <ins aria-label={`After: ${after ?? "nothing"}`}>{after ?? "nothing"}</ins>
          </>
        )}
      </dd>
    </div>
  );
}

/** Who put it forward, when, why and how sure they are. */
export function Origin({ proposal }: { proposal: ProposalReply }) {
  const from = [proposal.sourceKind, proposal.sourcePath ?? proposal.sourceId].filter(Boolean).join(" ");
  return (
    <div className="review-origin">
      <p>
        Put forward by <strong>{proposal.createdBy}</strong>, <Time at={proposal.createdAt} />
        {from && <> · from {from}</>}
      </p>
      {proposal.confidence !== null && (
        <p>
          <Meter value={proposal.confidence} label="Confidence" /> {percent(proposal.confidence)} sure
        </p>
      )}
      <p className="review-why">{proposal.rationale ?? "No reason was given."}</p>
    </div>
  );
}

/** An operation as it is sent, for those who want to see it. */
export function Raw({ operation, payload }: { operation: string; payload: Record<string, unknown> }) {
  const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));
  return (
    <details className="review-raw">
      <summary>The operation</summary>
      <pre tabIndex={0}>{JSON.stringify({ operation, payload: given }, null, 2)}</pre>
    </details>
  );
}
