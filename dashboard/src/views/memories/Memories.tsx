/** Long-term memories: find them, look into one, weigh, pin or forget it, and add another. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { setParameter, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button, Meter } from "../../ui/controls";
import { Icon } from "../../ui/icons";
import { Page, Panel } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { dayOf, Time } from "../../ui/times";
import { AddMemory } from "./AddMemory";
import { Categories } from "./Categories";
import { isPinned, type Memory } from "./changes";
import { Detail } from "./Detail";
import { FilterBar } from "./FilterBar";
import { asked, narrowed, unfold, useFilters, type Filters } from "./filters";
import "./memories.css";

interface Match {
  memory: Memory;
  score: number | null;
}

const PAGE = 50;
const MOST = 1000;

export default function Memories() {
  const filters = useFilters();
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Memories"
      lead="What the agent keeps for good: facts, decisions and preferences, each with the words it rests on."
      tools={
        <Button look="primary" onClick={() => setAdding(true)}>
          Add a memory
        </Button>
      }
    >
      <FilterBar filters={filters} />
      <div className="memories-columns">
        <Categories chosen={filters.category} />
        <Found filters={filters} />
      </div>
      {adding && <AddMemory close={() => setAdding(false)} />}
    </Page>
  );
}

function Found({ filters }: { filters: Filters }) {
  const scope = useScope();
  const { argument } = useRoute();
  const [pages, setPages] = useState(1);
  // Pins and importance are looked at here, so all there is to choose from is read for them.
  const limit = filters.pinned || filters.importance ? MOST : Math.min(pages * PAGE, MOST);
  const read = useRead("GET /v1/agents/{agent}/memories", { path: scope.path, query: { ...scope.query, ...asked(filters), limit } });
  const fits = ({ memory }: Match) => (!filters.pinned || isPinned(memory)) && memory.importance >= filters.importance;
  return (
    <div className="memories-found">
      <Read from={read} what="Reading memories">
        {({ memories }) => {
          const rows = memories.filter(fits);
          const elsewhere = argument !== null && !rows.some(({ memory }) => memory.id === argument);
          return (
            <>
              {filters.asOf && <p className="memories-then">As it was when {dayOf(`${filters.asOf}T12:00`)} ended. Take that date out to change anything.</p>}
              {elsewhere && <Apart memory={argument} asOf={filters.asOf} />}
              {rows.length ? <Rows rows={rows} filters={filters} open={argument} /> : <None filters={filters} />}
              {memories.length === limit && limit < MOST && (
                <Button className="memories-more" busy={read.isFetching} onClick={() => setPages(pages + 1)}>
                  Show more
                </Button>
              )}
            </>
          );
        }}
      </Read>
    </div>
  );
}

function Rows({ rows, filters, open }: { rows: readonly Match[]; filters: Filters; open: string | null }) {
  return (
    <Table
      label={filters.asOf ? `Memories as of ${dayOf(`${filters.asOf}T12:00`)}` : "Memories"}
      rows={rows}
      columns={columns(filters, open)}
      keyOf={({ memory }) => memory.id}
      open={({ memory }) => unfold(memory.id === open ? null : memory.id)}
      below={({ memory }) => (memory.id === open ? <Detail memory={memory} then={Boolean(filters.asOf)} /> : null)}
    />
  );
}

function columns(filters: Filters, open: string | null): Column<Match>[] {
  const shown: Column<Match>[] = [
    { title: "Memory", look: "wide", cell: ({ memory }) => <Told memory={memory} open={memory.id === open} /> },
    { title: "Category", cell: ({ memory }) => <span className="memories-category">{memory.category}</span> },
    { title: "Importance", cell: ({ memory }) => <Weight memory={memory} /> },
    { title: "Last seen", cell: ({ memory }) => <Time at={memory.last_seen_at} look="day" /> },
  ];
  const fit: Column<Match> = { title: "Fit", look: "end", cell: ({ score }) => score?.toFixed(2) ?? "–" };
  return filters.q ? [...shown, fit] : shown;
}

/** The row opens as a whole; the button in it is for the keyboard. */
function Told({ memory, open }: { memory: Memory; open: boolean }) {
  return (
    <div className="memories-told">
      <button type="button" aria-expanded={open}>
        {memory.content}
      </button>
      {memory.tags.length > 0 && (
        <span className="memories-tags">
          {memory.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      )}
    </div>
  );
}

function Weight({ memory }: { memory: Memory }) {
  return (
    <span className="memories-weight">
      <Meter value={memory.importance} label="Importance" />
      {isPinned(memory) && (
        <span title="Pinned: it does not fade" role="img" aria-label="Pinned">
          <Icon name="pin" size={15} />
        </span>
      )}
    </span>
  );
}

/** The memory of the address, where the table does not show it. */
function Apart({ memory, asOf }: { memory: string; asOf: string }) {
  const scope = useScope();
  const read = useRead("GET /v1/agents/{agent}/memories/{memory}", { path: { ...scope.path, memory }, query: scope.query });
  return (
    <Panel
      title="The memory you came for"
      tools={
        <Button look="quiet" onClick={() => unfold(null)}>
          Close
        </Button>
      }
    >
      <Read from={read}>
        {(held) => (
          <>
            <p className="memories-text">{held.content}</p>
            <Detail memory={held} then={Boolean(asOf)} />
          </>
        )}
      </Read>
    </Panel>
  );
}

function None({ filters }: { filters: Filters }) {
  if (!narrowed(filters)) {
    return (
      <Empty title="Nothing is remembered yet">
        Memories come from an agent that calls <code>remember</code>, from dreaming over its conversations, or from you: add one with the button above.
      </Empty>
    );
  }
  return (
    <Empty title="No memory fits">
      <p>Nothing that is in force passes all of these filters.</p>
      <Button onClick={() => ["q", "category", "tags", "since", "until", "as_of", "pinned", "importance"].forEach((name) => setParameter(name, null))}>
        Clear the filters
      </Button>
    </Empty>
  );
}

