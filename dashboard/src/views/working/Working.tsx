/** Working memory: scratch space of sessions, patrols and subagents, whose entries expire. */

import { useState } from "react";
import { setParameter, useRoute } from "../../app/routes";
import { Button, Choice, Field } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Failed, Waiting } from "../../ui/states";
import { EditEntry } from "./EditEntry";
import { namespaceOf, ROOTS, useEntries, useNow, type Entry } from "./entries";
import { Namespace } from "./Namespace";
import "./working.css";

export default function Working() {
  const { query } = useRoute();
  const [adding, setAdding] = useState(false);
  const below = query.get("below") ?? "";
  const asked = query.get("q") ?? "";
  return (
    <Page
      title="Working memory"
      lead="Scratch space that agents share while they work. Each entry lives in the namespace of who wrote it, and is gone when its time comes."
      tools={
        <Button look="primary" onClick={() => setAdding(true)}>
          Add an entry
        </Button>
      }
    >
      <search className="working-filters" aria-label="Working memory">
        <Field label="Search" type="search" value={asked} placeholder="By words and meaning" onChange={(event) => setParameter("q", event.target.value)} />
        <Choice
          label="Of"
          value={below}
          options={[["", "everybody"], ["session", "sessions"], ["patrol", "patrols"], ["subagent", "subagents"]]}
          onChange={(event) => setParameter("below", event.target.value)}
        />
      </search>
      <Held below={below} asked={asked.trim()} />
      {adding && <EditEntry close={() => setAdding(false)} />}
    </Page>
  );
}

function Held({ below, asked }: { below: string; asked: string }) {
  const now = useNow();
  const reads = ROOTS.map((root) => useEntries(root, asked));
  const wanted = reads.filter((_, at) => !below || ROOTS[at] === below);
  const failed = wanted.find((read) => read.error && !read.data);
  if (failed?.error) return <Failed failure={failed.error} again={() => void failed.refetch()} />;
  if (wanted.some((read) => !read.data)) return <Waiting what="Reading working memory" />;
  const entries = wanted.flatMap((read) => read.data?.entries ?? []);
  if (!entries.length) return <Nothing asked={asked} />;
  return [...byNamespace(entries)].map(([namespace, held]) => <Namespace key={namespace} namespace={namespace} entries={held} now={now} />);
}

function byNamespace(entries: readonly Entry[]): Map<string, Entry[]> {
  const held = new Map<string, Entry[]>();
  for (const entry of entries) held.set(namespaceOf(entry), [...(held.get(namespaceOf(entry)) ?? []), entry]);
  return held;
}

function Nothing({ asked }: { asked: string }) {
  if (asked) return <Empty title="Nothing fits">No entry has to do with “{asked}”. It may have expired.</Empty>;
  return (
    <Empty title="The desk is clear">
      Agents put notes here while they work: drafts, findings of patrols, outlines of subagents. Entries expire, by default after five minutes, so an empty desk
      is the usual sight.
    </Empty>
  );
}
