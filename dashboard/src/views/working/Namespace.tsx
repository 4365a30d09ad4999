/** One namespace of working memory: its entries, and the inventory that agents are shown. */

import { useState } from "react";
import { useChange, useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Badge, Button } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { useToasts } from "../../ui/toasts";
import { EditEntry } from "./EditEntry";
import { nameOf, namespaceOf, span, type Entry } from "./entries";

/** How many entries a namespace may hold. */
const MOST = 50;

export function Namespace({ namespace, entries, now }: { namespace: string; entries: readonly Entry[]; now: number }) {
  const [listed, setListed] = useState(false);
  const [editing, setEditing] = useState<Entry | null>(null);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  const columns: Column<Entry>[] = [
    { title: "Key", cell: (entry) => <span className="working-key mono">{nameOf(entry)}</span> },
    { title: "Value", look: "wide", cell: (entry) => <Value entry={entry} /> },
    { title: "Expires", cell: (entry) => <Countdown entry={entry} now={now} /> },
    {
      title: "Actions",
      look: "end",
      cell: (entry) => (
        <span className="working-actions">
          <Button look="quiet" aria-label={`Edit ${entry.key}`} onClick={() => setEditing(entry)}>
            Edit
          </Button>
          <Button look="quiet" aria-label={`Delete ${entry.key}`} onClick={() => setDeleting(entry)}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
  return (
    <section className="working-namespace" aria-label={namespace}>
      <header>
        <h2>{namespace}</h2>
        <small>
          {entries.length} of {MOST}
        </small>
        <Button look="quiet" aria-expanded={listed} onClick={() => setListed(!listed)}>
          Inventory
        </Button>
      </header>
      {listed && <Inventory namespace={namespace} />}
      <Table label={`Entries of ${namespace}`} rows={entries} columns={columns} keyOf={(entry) => entry.key} />
      {editing && <EditEntry entry={editing} close={() => setEditing(null)} />}
      {deleting && <Delete entry={deleting} close={() => setDeleting(null)} />}
    </section>
  );
}

function Value({ entry }: { entry: Entry }) {
  const [whole, setWhole] = useState(false);
  const long = entry.value.length > 280;
  return (
    <div className="working-value">
      <p className={whole ? undefined : "cut"}>{entry.value}</p>
      {long && (
        <Button look="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Less" : "All of it"}
        </Button>
      )}
      {(entry.category || entry.tags.length > 0) && (
        <span className="working-labels">
          {entry.category && <Badge tone="accent">{entry.category}</Badge>}
          {entry.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      )}
    </div>
  );
}

/** How long an entry is still there, as words and as what is left of its time. */
function Countdown({ entry, now }: { entry: Entry; now: number }) {
  const [born, ends] = [Date.parse(entry.stored_at), Date.parse(entry.expires_at)];
  const left = Math.max(0, (ends - now) / 1000);
  const share = Math.min(1, Math.max(0, (ends - now) / (ends - born || 1)));
  return (
    <span className={`working-left ${left < 60 ? "soon" : ""}`} title={new Date(ends).toString()}>
      {left ? span(left) : "expired"}
      <span className="meter" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}

/** The lines that an agent is shown; it fetches the values it needs. */
function Inventory({ namespace }: { namespace: string }) {
  const scope = useScope();
  const read = useRead("GET /v1/agents/{agent}/working/inventory", { path: scope.path, query: { ...scope.query, namespace } });
  return (
    <Read from={read}>
      {({ text }) => (
        <figure className="working-inventory">
          <figcaption>As an agent in this namespace is told</figcaption>
          <pre>{text}</pre>
        </figure>
      )}
    </Read>
  );
}

function Delete({ entry, close }: { entry: Entry; close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const remove = useChange("DELETE /v1/agents/{agent}/working/entry", () => {
    close();
    toasts.done("Deleted.");
  });
  const submit = () => remove.mutate({ path: scope.path, query: { ...scope.query, namespace: namespaceOf(entry), key: entry.key } });
  return (
    <Dialog title="Delete this entry?" close={close} confirm="Delete" look="danger" busy={remove.isPending} failure={remove.error} submit={submit}>
      <p>
        <span className="mono">{entry.key}</span> is removed at once. Working memory keeps no history, so this cannot be taken back.
      </p>
    </Dialog>
  );
}
