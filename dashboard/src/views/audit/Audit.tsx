/** The audit log: every change to memories, graph and ontology, and a way to take it back. */

import { useEffect, useMemo, useState } from "react";
import type { Failure } from "../../api/client";
import { setParameter, useRoute } from "../../app/routes";
import { TypeAhead } from "../../app/Search";
import { OPERATIONS } from "../../app/wording";
import { Button, Choice } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Failed, Waiting } from "../../ui/states";
import { useNames } from "../review/names";
import { Entry } from "./Entry";
import { actorOf, days, passes, useLog, type Asked, type Change, type Filter } from "./records";
import { UndoDialog } from "./UndoDialog";
import "./Audit.css";

export default function Audit() {
  const log = useLog();
  return (
    <Page title="Audit log" lead="Every change, the last first: who made it, what it was made with, and a way to take it back.">
      <Log from={log} />
    </Page>
  );
}

function Log({ from }: { from: ReturnType<typeof useLog> }) {
  const filter = useFilter();
  const log = from.data ?? NONE;
  const shown = useMemo(() => log.filter((change) => passes(change, filter)), [log, filter]);
  const naming = useNames(useMemo(() => [...shown.map((change) => change.payload), { entity: filter.about }], [shown, filter.about]));
  const [undoing, setUndoing] = useState<Asked | null>(null);
  const { hasNextPage, isFetching, fetchNextPage } = from;
  // A filter that leaves little of what was read has more read for it, up to a point.
  const short = shown.length < ENOUGH && log.length > shown.length && log.length < FAR;
  useEffect(() => {
    if (short && hasNextPage && !isFetching) void fetchNextPage();
  }, [short, hasNextPage, isFetching, fetchNextPage]);
  if (from.error && !from.data) return <Failed failure={from.error as Failure} again={() => void from.refetch()} />;
  if (!from.data) return <Waiting what="Reading the log" />;
  if (!log.length) return <Nothing />;
  return (
    <>
      <Filters log={log} filter={filter} about={filter.about && naming(filter.about)} />
      {days(shown).map(([day, batches]) => (
        <section key={day} className="audit-day" aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {batches.map((batch) => (
              <li key={batch[0].id}>
                <Entry of={batch} log={log} naming={naming} undo={setUndoing} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      <footer className="audit-foot">
        <span role="status">{told(shown.length, log.length, hasNextPage)}</span>
        {hasNextPage && (
          <Button busy={from.isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Go further back
          </Button>
        )}
      </footer>
      {undoing && <UndoDialog of={undoing} log={log} naming={naming} close={() => setUndoing(null)} />}
    </>
  );
}

const NONE: readonly Change[] = [];
const ENOUGH = 20;
const FAR = 1_000;

/** The filters that stand in the address. */
function useFilter(): Filter {
  const { query } = useRoute();
  const [actor, operation, about] = [query.get("actor"), query.get("operation"), query.get("about")];
  return useMemo(() => ({ actor, operation, about }), [actor, operation, about]);
}

/** The server keeps no index of these, so they choose among the changes that were read; a rare one has more read. */
function Filters({ log, filter, about }: { log: readonly Change[]; filter: Filter; about: string | null }) {
  const [text, setText] = useState("");
  const actors = known(log.map((change) => change.actor), filter.actor);
  const operations = known([...OPERATIONS, ...log.map((change) => change.operation)], filter.operation);
  return (
    <div className="audit-filters" role="search" aria-label="Changes">
      <Choice
        label="Who"
        value={filter.actor ?? ""}
        options={[["", "Anyone"], ...actors.map((actor) => [actor, actorOf(actor)] as const)]}
        onChange={(event) => setParameter("actor", event.target.value)}
      />
      <Choice
        label="What"
        value={filter.operation ?? ""}
        options={[["", "Any change"], ...operations.map((operation) => [operation, operation.replaceAll("_", " ")] as const)]}
        onChange={(event) => setParameter("operation", event.target.value)}
      />
      {filter.about ? (
        <Button className="audit-about" onClick={() => setParameter("about", null)}>
          About {about} <span aria-hidden="true">×</span>
          <span className="visually-hidden">, show all</span>
        </Button>
      ) : (
        <TypeAhead id="audit-about" label="About an entity" text={text} change={setText} chosen={(found) => setParameter("about", found.id)} />
      )}
    </div>
  );
}

function known(values: readonly string[], chosen: string | null): string[] {
  return [...new Set(chosen ? [...values, chosen] : values)].sort();
}

function told(shown: number, read: number, more: boolean): string {
  const among = `${read} ${read === 1 ? "change" : "changes"}`;
  if (shown === read) return more ? `The last ${among}.` : `${among} in all.`;
  return `${shown || "None"} of the ${more ? "last " : ""}${among}.`;
}

function Nothing() {
  return (
    <Empty title="Nothing has been changed yet">
      Whenever something is remembered, learned, merged or forgotten, by people or by itself, a line is written here. Nothing is ever taken out of it.
    </Empty>
  );
}
