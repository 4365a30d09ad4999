/** Every entity there is, to be searched, filtered and paged through. */

import { useDeferredValue } from "react";
import { useRead } from "../../api/queries";
import { go, setParameter, to, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Button, Choice, Field, Meter } from "../../ui/controls";
import { Icon } from "../../ui/icons";
import { Kind } from "../../ui/kinds";
import { Page } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { Time } from "../../ui/times";
import { asKind, KINDS, plain, type Listed } from "./replies";

const SIZE = 50;

const COLUMNS: readonly Column<Listed>[] = [
  { title: "Name", look: "wide", cell: (row) => <Name row={row} /> },
  { title: "Kind", cell: ({ entity }) => <Kind of={plain(entity.entityType)} /> },
  { title: "Claims", look: "end", cell: (row) => row.attributeCount + row.constraintCount },
  { title: "Links", look: "end", cell: (row) => row.dependencyCount },
  { title: "Mentions", look: "end", cell: ({ entity }) => entity.mentions },
  { title: "Confidence", cell: ({ entity }) => <Meter value={entity.confidence} label="Confidence" /> },
  { title: "Last mentioned", cell: ({ lastMentionedAt }) => <Time at={lastMentionedAt} look="day" /> },
];

export function EntityList() {
  const scope = useScope();
  const { query } = useRoute();
  const offset = Math.max(0, Number(query.get("offset")) || 0);
  const q = useDeferredValue(query.get("q")?.trim() ?? "");
  const type = asKind(query.get("kind"));
  const page = useRead("GET /api/knowledge/entities", {
    query: { ...scope.api, q, limit: SIZE, offset, ...(type ? { type } : {}) },
  });
  return (
    <Page title="Entities" lead="Everything the agent knows about: people, projects, places and things, with what it believes of each. What is pinned comes first." tools={<Filters />}>
      <Read from={page} what="Reading the entities">
        {({ items }) =>
          items.length || offset ? (
            <>
              <Table label="Entities" rows={items} columns={COLUMNS} keyOf={({ entity }) => entity.id} open={({ entity }) => go(to("entities", entity.id))} />
              <Pager offset={offset} count={items.length} />
            </>
          ) : (
            <Nothing filtered={Boolean(q || type)} />
          )
        }
      </Read>
    </Page>
  );
}

function Filters() {
  const { query } = useRoute();
  const set = (name: string, value: string) => {
    setParameter("offset", null);
    setParameter(name, value || null);
  };
  return (
    <>
      <Field label="Search names" type="search" placeholder="Part of a name" value={query.get("q") ?? ""} onChange={(event) => set("q", event.target.value)} />
      <Choice
        label="Kind"
        value={query.get("kind") ?? ""}
        options={[["", "Every kind"], ...KINDS.map((kind) => [kind, plain(kind)] as const)]}
        onChange={(event) => set("kind", event.target.value)}
      />
    </>
  );
}

function Name({ row: { entity } }: { row: Listed }) {
  return (
    <div className="entities-name">
      <span>
        <a href={to("entities", entity.id)} onClick={(event) => event.stopPropagation()}>
          {entity.name}
        </a>
        {entity.pinned && (
          <span className="entities-pin" role="img" aria-label="Pinned" title="Pinned">
            <Icon name="pin" size={14} />
          </span>
        )}
      </span>
      {entity.description && <small>{entity.description}</small>}
    </div>
  );
}

function Pager({ offset, count }: { offset: number; count: number }) {
  const full = count === SIZE;
  if (!offset && !full) return null;
  const move = (by: number) => setParameter("offset", String(Math.max(0, offset + by) || ""));
  return (
    <nav className="entities-pager" aria-label="Pages">
      <Button disabled={!offset} onClick={() => move(-SIZE)}>
        Previous
      </Button>
      <span>{count ? `${offset + 1}–${offset + count}` : "Nothing more"}</span>
      <Button disabled={!full} onClick={() => move(SIZE)}>
        Next
      </Button>
    </nav>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <Empty title="Nothing fits these filters">
        <Button onClick={() => go(to("entities"), { replace: true })}>Show everything</Button>
      </Empty>
    );
  return (
    <Empty title="Nothing is known yet">
      Entities appear by themselves as the agent observes conversations and remembers facts: the people, projects and places that were spoken of.
    </Empty>
  );
}
