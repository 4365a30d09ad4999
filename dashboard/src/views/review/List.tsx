/** The queue on the left: what waits, in one line each, and chips to see one kind only. */

import { useEffect, useRef } from "react";
import { setParameter, to } from "../../app/routes";
import { Badge, Meter, type Tone } from "../../ui/controls";
import { Time } from "../../ui/times";
import { conflictWords } from "./ConflictDetail";
import { duplicateWords } from "./DuplicateDetail";
import { findingWords } from "./HygieneDetail";
import { ageOf, KINDS, scoreOf, type Item, type Queue, type QueueKind } from "./queue";
import { percent, sentence, type Naming } from "./words";

export const LABELS: Record<QueueKind, readonly [one: string, more: string, tone: Tone]> = {
  conflict: ["Conflict", "Conflicts", "bad"],
  proposal: ["Proposal", "Proposals", "accent"],
  duplicate: ["Duplicate", "Duplicates", "warn"],
  hygiene: ["Hygiene", "Hygiene", "plain"],
};

/** What an item asks, in one line. */
export function summary(item: Item, naming: Naming): string {
  switch (item.kind) {
    case "conflict":
      return conflictWords(item.conflict);
    case "proposal":
      return sentence(item.proposal.operation, item.proposal.payload, naming);
    case "duplicate":
      return duplicateWords(item.pair);
    case "hygiene":
      return findingWords(item.finding);
  }
}

export function Chips({ queue, kind }: { queue: Queue; kind: QueueKind | null }) {
  const all = KINDS.reduce((sum, each) => sum + queue.counts[each], 0);
  const chip = (value: QueueKind | null, text: string, count: number) => (
    <button key={text} type="button" className="review-chip" aria-pressed={kind === value} onClick={() => setParameter("kind", value)}>
      {text} <span>{count}</span>
    </button>
  );
  return (
    <div className="review-chips" role="group" aria-label="Show">
      {chip(null, "All", all)}
      {KINDS.map((each) => chip(each, LABELS[each][1], queue.counts[each]))}
    </div>
  );
}

interface ListProps {
  items: readonly Item[];
  current: string | null;
  selected: ReadonlySet<string>;
  toggle: (id: string) => void;
  naming: Naming;
}

export function List({ items, current, selected, toggle, naming }: ListProps) {
  return (
    <ol className="review-list" aria-label="Waiting for review">
      {items.map((item) => (
        <Row key={item.id} item={item} current={item.id === current} selected={selected.has(item.id)} toggle={() => toggle(item.id)} text={summary(item, naming)} />
      ))}
    </ol>
  );
}

interface RowProps {
  item: Item;
  current: boolean;
  selected: boolean;
  toggle: () => void;
  text: string;
}

function Row({ item, current, selected, toggle, text }: RowProps) {
  const element = useRef<HTMLLIElement>(null);
  const [label, , tone] = LABELS[item.kind];
  const score = scoreOf(item);
  const age = ageOf(item);
  useEffect(() => {
    if (current) element.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <li ref={element} className="review-item" data-current={current || undefined} data-selected={selected || undefined}>
      <a href={addressOf(item.id)} aria-current={current || undefined}>
        <span className="review-item-words">{text}</span>
        <span className="review-item-facts">
          <Badge tone={tone}>{label}</Badge>
          {score && (
            <span>
              <Meter label={score[0]} value={score[1]} /> {percent(score[1])}
            </span>
          )}
          {age && <Time at={age} look="ago" />}
        </span>
      </a>
      {item.kind === "proposal" && (
        <button type="button" role="checkbox" aria-checked={selected} aria-label={`Select: ${text}`} className="review-check" onClick={toggle}>
          {selected ? "✓" : ""}
        </button>
      )}
    </li>
  );
}

/** Where an item stands; the chosen kind goes along. */
export function addressOf(id: string | null): string {
  const kind = new URLSearchParams(window.location.hash.split("?")[1]).get("kind");
  return to("review", id, { kind });
}
