/** One conversation as people read it: who said what when, the earlier pages on demand, and one turn marked where asked. */

import { Fragment, useEffect, useRef } from "react";
import { to } from "../../app/routes";
import { Badge, Button } from "../../ui/controls";
import { Fact, Facts } from "../../ui/facts";
import { Page, Panel } from "../../ui/pages";
import { Empty, Failed, Waiting } from "../../ui/states";
import { dayOf, Time } from "../../ui/times";
import { Summary } from "./Summary";
import { speakerOf, speakersOf, useTurns, type Turn } from "./turns";

export function Conversation({ session, wanted }: { session: string; wanted: string | null }) {
  const { read, turns, found, seeking } = useTurns(session, wanted);
  return (
    <Page title={session} lead={<a href={to("sessions")}>All sessions</a>}>
      <div className="sessions-columns">
        <section aria-label="Conversation" className="sessions-talk">
          {read.isPending && <Waiting what="Reading the conversation" />}
          {read.error && <Failed failure={read.error} again={() => void read.refetch()} />}
          {read.isSuccess && !turns.length && <Gone />}
          {read.hasNextPage && (
            <Button busy={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
              {seeking ? "Looking further back …" : "Earlier turns"}
            </Button>
          )}
          {!found && !seeking && turns.length > 0 && (
            <p className="sessions-missing" role="status">
              The turn of this address is not in the conversation. It may have been forgotten.
            </p>
          )}
          <Turns turns={turns} wanted={wanted} />
        </section>
        <aside className="sessions-aside">
          <Summary session={session} />
          {turns.length > 0 && <InView turns={turns} whole={!read.hasNextPage} />}
        </aside>
      </div>
    </Page>
  );
}

function Gone() {
  return (
    <Empty title="Nothing was said here">
      This session has no turns in force: its name is not known, or what was said in it was forgotten.
    </Empty>
  );
}

function Turns({ turns, wanted }: { turns: readonly Turn[]; wanted: string | null }) {
  return (
    <ol className="sessions-turns">
      {turns.map((turn, at) => (
        <Fragment key={turn.id}>
          {dayOf(turn.at) !== dayBefore(turns[at - 1]) && (
            <li className="sessions-day">
              <Time at={turn.at} look="day" />
            </li>
          )}
          <Said turn={turn} marked={turn.id === wanted} />
        </Fragment>
      ))}
    </ol>
  );
}

function dayBefore(turn: Turn | undefined): string | null {
  return turn ? dayOf(turn.at) : null;
}

function Said({ turn, marked }: { turn: Turn; marked: boolean }) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) element.current?.scrollIntoView({ block: "center" });
  }, [marked]);
  return (
    <li ref={element} className={`sessions-turn ${turn.role}`} aria-current={marked ? "true" : undefined}>
      <p className="sessions-who">
        <strong>{speakerOf(turn)}</strong>
        {turn.role !== "user" && speakerOf(turn).toLowerCase() !== turn.role && <Badge>{turn.role}</Badge>}
        <a href={to("sessions", turn.session, { turn: turn.id })} title="The address of this turn">
          {hour.format(new Date(turn.at))}
        </a>
        {turn.ref && <span className="mono">{turn.ref}</span>}
      </p>
      <p className="sessions-words">{turn.text}</p>
    </li>
  );
}

const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

function InView({ turns, whole }: { turns: readonly Turn[]; whole: boolean }) {
  return (
    <Panel title="In view">
      <Facts>
        <Fact name="Turns">{whole ? turns.length : `the last ${turns.length}`}</Fact>
        <Fact name="Speakers">{speakersOf(turns).join(", ")}</Fact>
        <Fact name="From">
          <Time at={turns[0]?.at} />
        </Fact>
        <Fact name="To">
          <Time at={turns.at(-1)?.at} />
        </Fact>
      </Facts>
    </Panel>
  );
}
