/** The documents of the vault: all of them, or the one in the address. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { go, setParameter, to, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button, Choice, Field } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { Time } from "../../ui/times";
import { AddFile } from "./AddFile";
import { DocumentPage } from "./DocumentPage";
import { READERS, type Listed } from "./replies";
import "./documents.css";

const MOST = 1000;

const COLUMNS: readonly Column<Listed>[] = [
  { title: "Title", look: "wide", cell: (row) => <Title of={row} /> },
  { title: "For", cell: ({ visibility, team }) => <Badge>{team ?? READERS[visibility]}</Badge> },
  { title: "First saved", cell: ({ created_at }) => <Time at={created_at} look="day" /> },
  { title: "Last changed", cell: ({ updated_at }) => <Time at={updated_at} look="day" /> },
];

export default function Documents() {
  const { argument } = useRoute();
  return argument ? <DocumentPage key={argument} id={argument} /> : <Every />;
}

function Every() {
  const scope = useScope();
  const { query } = useRoute();
  const [adding, setAdding] = useState(false);
  const [archived, q] = [query.get("status") === "archived", query.get("q")?.trim().toLowerCase() ?? ""];
  const read = useRead("GET /v1/agents/{agent}/vault/documents", { path: scope.path, query: { ...scope.query, archived, limit: MOST } });
  const fits = ({ title, path }: Listed) => `${title} ${path}`.toLowerCase().includes(q);
  return (
    <Page
      title="Documents"
      lead="Notes and files that the agent may read: what they say is found like anything that was said, and links lead from one to the other."
      tools={
        <>
          <Field label="Search titles" type="search" placeholder="Part of a title or path" value={query.get("q") ?? ""} onChange={(event) => setParameter("q", event.target.value)} />
          <Choice
            label="Show"
            value={archived ? "archived" : ""}
            options={[["", "in force"], ["archived", "archived"]]}
            onChange={(event) => setParameter("status", event.target.value || null)}
          />
          <Button look="primary" onClick={() => setAdding(true)}>
            Add a file
          </Button>
        </>
      }
    >
      <Read from={read} what="Reading the documents">
        {({ documents }) => {
          const rows = documents.filter(fits);
          if (rows.length) return <Table label="Documents" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} open={({ id }) => go(to("documents", id))} />;
          return <None filtered={documents.length > 0} archived={archived} />;
        }}
      </Read>
      {adding && <AddFile close={() => setAdding(false)} />}
    </Page>
  );
}

function Title({ of }: { of: Listed }) {
  return (
    <div className="documents-title">
      <a href={to("documents", of.id)} onClick={(event) => event.stopPropagation()}>
        {of.title}
      </a>
      <small>{of.path}</small>
    </div>
  );
}

function None({ filtered, archived }: { filtered: boolean; archived: boolean }) {
  if (filtered) return <Empty title="No title or path has that in it" />;
  if (archived) return <Empty title="Nothing is archived">A document that is archived leaves the agent’s sight. It stays readable as of before, and can be put back.</Empty>;
  return (
    <Empty title="There is no document yet">
      Add a Markdown, text, HTML, PDF or Word file here, or keep a folder of notes in step with <code>nacre vault sync</code>.
    </Empty>
  );
}
