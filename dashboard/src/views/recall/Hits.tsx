/** The ranked hits of a question: what each says, why it ranks there, where it is from, and what the reader thinks of it. */

import { useMemo, useRef, useState } from "react";
import { useKeys } from "../../app/keys";
import { to } from "../../app/routes";
import { Badge, Button, Field, Key } from "../../ui/controls";
import { Empty } from "../../ui/states";
import { Time } from "../../ui/times";
import { InContext } from "../sessions/InContext";
import { isUnrelated, type Answer, type Hit } from "./asking";
import { isInjected } from "./blocks";
import { ChannelBar, ChannelNumbers, Legend, partsOf, type Part } from "./channels";
import { useMarks, type Mark } from "./feedback";
import { Marked } from "./marking";
import "./hits.css";

export function Hits({ answer }: { answer: Answer }) {
  const { hits } = answer.recalled;
  if (!hits.length) return <Nothing />;
  return isUnrelated(answer.recalled) ? <Nearest answer={answer} /> : <HitList answer={answer} />;
}

/** Hits that likely have nothing to do with the question: they can be looked at, and do not look like an answer. */
function Nearest({ answer }: { answer: Answer }) {
  const count = answer.recalled.hits.length;
  return (
    <>
      <Empty title="Nothing that is known bears on this">
        The agent was likely never told anything of it. What comes nearest shares a word or a little meaning with the question.
      </Empty>
      <details className="recall-nearest">
        <summary>{count === 1 ? "Show what comes nearest all the same" : `Show the ${count} that come nearest all the same`}</summary>
        <HitList answer={answer} />
      </details>
    </>
  );
}

function HitList({ answer }: { answer: Answer }) {
  const { recalled, question } = answer;
  const parts = useMemo(() => partsOf(recalled.hits), [recalled]);
  const marks = useMarks(question.q, question.session);
  const list = useRef<HTMLOListElement>(null);
  const give = (mark: Mark) => {
    const hit = recalled.hits[placeOf(list.current)];
    if (hit && marks.of(hit) !== mark) marks.mark(hit, mark);
  };
  useKeys({ j: () => step(list.current, 1), k: () => step(list.current, -1), y: () => give("helpful"), n: () => give("wrong") });
  return (
    <>
      <div className="recall-guide">
        <Legend parts={parts.values()} />
        <p className="recall-keys">
          <Key>j</Key> <Key>k</Key> move, <Key>y</Key> helpful, <Key>n</Key> wrong
        </p>
      </div>
      <ol className="recall-hits" ref={list}>
        {recalled.hits.map((hit, at) => (
          <HitItem
            key={hit.id}
            hit={hit}
            place={at + 1}
            parts={parts.get(hit.id) ?? []}
            asked={question.q}
            injected={isInjected(hit, answer.context)}
            mark={marks.of(hit)}
            give={(mark, right) => marks.mark(hit, mark, right)}
            busy={marks.pending}
          />
        ))}
      </ol>
    </>
  );
}

function placeOf(list: HTMLOListElement | null): number {
  return [...(list?.children ?? [])].findIndex((item) => item.contains(document.activeElement));
}

/** Move the focus to the hit that many places on. */
function step(list: HTMLOListElement | null, by: number): void {
  const items = [...(list?.children ?? [])] as HTMLElement[];
  items[Math.min(Math.max(placeOf(list) + by, 0), items.length - 1)]?.focus();
}

function Nothing() {
  return (
    <Empty title="Nothing comes to mind">
      No passage shares words or meaning with this question under these filters. Widen the dates, allow more kinds, or ask with words that were
      really used.
    </Empty>
  );
}

interface ItemProps {
  hit: Hit;
  place: number;
  parts: readonly Part[];
  asked: string;
  injected: boolean;
  mark: Mark | undefined;
  give: (mark: Mark, right?: string) => void;
  busy: boolean;
}

function HitItem({ hit, place, parts, asked, injected, mark, give, busy }: ItemProps) {
  const [open, setOpen] = useState(false);
  const [correcting, setCorrecting] = useState(false);
  return (
    <li className={`recall-hit ${mark ?? ""}`} tabIndex={-1} aria-label={`Hit ${place}`}>
      <div className="recall-score">
        <span className="recall-place">{place}</span>
        <ChannelBar parts={parts} score={hit.score} />
        <strong>{hit.score.toFixed(2)}</strong>
      </div>
      <p className={open ? "recall-text" : "recall-text cut"}>
        <Marked text={hit.text} asked={asked} />
      </p>
      <div className="recall-foot">
        <p className="recall-source">
          <Badge tone="accent">{hit.kind}</Badge>
          {injected && (
            <Badge tone="good" title="It is in what would be injected.">
              injected
            </Badge>
          )}
          {hit.source.flags.map((flag) => (
            <Badge key={flag} tone="warn" title="Its text looks like instructions to its reader.">
              {flag}
            </Badge>
          ))}
          {hit.standing && hit.standing !== "current" && (
            <Badge tone="warn" title="What the graph learned from it was replaced or taken back since.">
              {hit.standing}
            </Badge>
          )}
          <Time at={hit.at} look="day" />
          {hit.source.speaker && <span>{hit.source.speaker}</span>}
          <Origin hit={hit} />
        </p>
        <div className="recall-actions" role="group" aria-label={`Hit ${place}`}>
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Less" : "Why this?"}
          </Button>
          <Button look="quiet" className="recall-helpful" aria-pressed={mark === "helpful"} disabled={busy} onClick={() => give("helpful")}>
            Helpful
          </Button>
          <Button look="quiet" className="recall-wrong" aria-pressed={mark === "wrong"} disabled={busy} onClick={() => setCorrecting(!correcting)}>
            Wrong
          </Button>
        </div>
      </div>
      {correcting && <Correcting give={(right) => (give("wrong", right), setCorrecting(false))} />}
      {open && <Why hit={hit} parts={parts} />}
    </li>
  );
}

/** Where a hit can be looked at in its place. */
function Origin({ hit }: { hit: Hit }) {
  const { session, id } = hit.source;
  return (
    <>
      {session && <a href={to("sessions", session, { turn: id })}>in {session}</a>}
      {hit.kind === "memory" && <a href={to("memories", hit.id)}>the memory</a>}
    </>
  );
}

function Correcting({ give }: { give: (right: string) => void }) {
  const [right, setRight] = useState("");
  return (
    <form
      className="recall-correcting"
      onSubmit={(event) => {
        event.preventDefault();
        give(right.trim());
      }}
    >
      <Field label="What would be right? (may stay empty)" value={right} onChange={(event) => setRight(event.target.value)} autoFocus />
      <Button type="submit" look="primary">
        Mark as wrong
      </Button>
    </form>
  );
}

function Why({ hit, parts }: { hit: Hit; parts: readonly Part[] }) {
  return (
    <div className="recall-why">
      <p className="recall-hint">
        The score is the probability that it bears on the question. The channels decide the order, and share the score by what they gave.
      </p>
      <ChannelNumbers parts={parts} score={hit.score} />
      <section>
        <h3>Rests on</h3>
        <InContext evidence={hit.source} />
      </section>
    </div>
  );
}
