/** All that waits for a person's decision, as one queue: the list on the left, the chosen item whole on the right. */

import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useKeys } from "../../app/keys";
import { go, useRoute } from "../../app/routes";
import { Badge, Key } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Failed, Waiting } from "../../ui/states";
import { Time } from "../../ui/times";
import { Bulk } from "./Bulk";
import { ConflictDetail } from "./ConflictDetail";
import { useDecisions, type Decisions } from "./decisions";
import { DuplicateDetail } from "./DuplicateDetail";
import { HygieneDetail } from "./HygieneDetail";
import { addressOf, Chips, LABELS, List } from "./List";
import { useNames } from "./names";
import { ProposalDetail } from "./ProposalDetail";
import { ageOf, KINDS, useQueue, type Item, type ProposalItem, type Queue, type QueueKind } from "./queue";
import { Sweeps } from "./Sweeps";
import { several } from "./words";
import "./review.css";

export default function Review() {
  const { queue, failure, again } = useQueue();
  return (
    <Page title="Review" lead="What agents put forward, and what looks wrong. None of it is done until you say so." tools={<Sweeps />}>
      {queue ? <Desk queue={queue} /> : failure ? <Failed failure={failure} again={again} /> : <Waiting />}
    </Page>
  );
}

const WIDE = "(min-width: 900px)";

/** Whether list and detail fit side by side. */
function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => window.matchMedia(WIDE).matches,
  );
}

function Desk({ queue }: { queue: Queue }) {
  const { argument, query } = useRoute();
  const wide = useWide();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const kind = KINDS.find((each) => each === query.get("kind")) ?? null;
  const items = kind ? queue.items.filter((item) => item.kind === kind) : queue.items;
  const naming = useNames(useMemo(() => queue.items.flatMap((item) => (item.kind === "proposal" ? [item.proposal.payload] : [])), [queue.items]));
  const current = items.find((item) => item.id === argument) ?? (wide || argument ? items[0] : null) ?? null;
  const bulk = items.filter((item): item is ProposalItem => item.kind === "proposal" && selected.has(item.id));

  const clear = () => setSelected(new Set());
  const choose = (item: Item | undefined) => go(addressOf(item?.id ?? null), { replace: true });
  const step = (by: number) => {
    const at = current ? items.indexOf(current) + by : 0;
    if (items[at]) choose(items[at]);
  };
  const toggle = (id: string) => setSelected((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  const decisions = useDecisions(() => {
    const at = current ? items.indexOf(current) : 0;
    const left = (item: Item) => !bulk.includes(item as ProposalItem) && (bulk.length > 0 || item !== current);
    choose(items.slice(at).find(left) ?? items.slice(0, at).findLast(left));
    clear();
  });
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      if (current?.kind === "proposal") toggle(current.id);
    },
  });
  // A filter that hides an item takes it out of the selection, so that nothing unseen is decided.
  useEffect(clear, [kind]);

  if (!queue.items.length) return <Nothing />;
  return (
    <div className="review" data-open={argument ? true : undefined} data-bulk={bulk.length ? true : undefined}>
      <div className="review-queue">
        <Chips queue={queue} kind={kind} />
        {items.length ? <List items={items} current={current?.id ?? null} selected={selected} toggle={toggle} naming={naming} /> : <NoneOf kind={kind} />}
        <Notes queue={queue} />
      </div>
      <div className="review-detail">
        <a className="review-back" href={addressOf(null)}>
          ← All {items.length}
        </a>
        {bulk.length ? (
          <article className="panel" aria-label="Selected proposals">
            <Bulk items={bulk} naming={naming} decisions={decisions} clear={clear} />
          </article>
        ) : (
          current && <Detail key={current.id} item={current} decisions={decisions} />
        )}
      </div>
    </div>
  );
}

function Detail({ item, decisions }: { item: Item; decisions: Decisions }) {
  const [label, , tone] = LABELS[item.kind];
  const age = ageOf(item);
  return (
    <article className="panel" aria-label="In review">
      <p className="review-badges">
        <Badge tone={tone}>{label}</Badge>
        {age && <Time at={age} />}
      </p>
      {item.kind === "proposal" && <ProposalDetail proposal={item.proposal} decisions={decisions} />}
      {item.kind === "conflict" && <ConflictDetail item={item} decisions={decisions} />}
      {item.kind === "duplicate" && <DuplicateDetail item={item} decisions={decisions} />}
      {item.kind === "hygiene" && <HygieneDetail finding={item.finding} decisions={decisions} />}
    </article>
  );
}

function Nothing() {
  return (
    <Empty title="Nothing waits for you">
      Proposals come from agents, from extraction and from dreams; duplicates from a scan. Look for more with the buttons above, or come back later.
    </Empty>
  );
}

function NoneOf({ kind }: { kind: QueueKind | null }) {
  const words = kind === "hygiene" ? "Nothing looks wrong." : `No ${kind ? LABELS[kind][1].toLowerCase() : "items"} wait for you.`;
  return <p className="review-soft review-none">{words}</p>;
}

/** What belongs below the list: claims that could be told better, that there is more, and the keys. */
function Notes({ queue: { claims, more } }: { queue: Queue }) {
  const parts = claims
    ? [
        claims.missingSourceMemory && `${several(claims.missingSourceMemory, "claim rests", "claims rest")} on no evidence`,
        claims.missingClaimKey && `${several(claims.missingClaimKey, "has", "have")} no key`,
      ].filter(Boolean)
    : [];
  return (
    <footer className="review-notes">
      {more && <p>Only the first 200 of a kind are shown; the rest follow as these are decided.</p>}
      {parts.length > 0 && <p>For your information: {parts.join(", ")}.</p>}
      <p className="review-keys">
        <Key>j</Key> <Key>k</Key> next, previous · <Key>a</Key> accept · <Key>r</Key> reject · <Key>e</Key> edit · <Key>m</Key> merge ·{" "}
        <Key>d</Key> dismiss · <Key>x</Key> select
      </p>
    </footer>
  );
}
