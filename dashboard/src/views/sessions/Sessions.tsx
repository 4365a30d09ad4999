/** Conversations: all of them, or the one in the address. */

import { useState } from "react";
import type { Reply } from "../../api/client";
import { useRead } from "../../api/queries";
import { go, to, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { Time } from "../../ui/times";
import { Conversation } from "./Conversation";
import { useSummaries } from "./Summary";
import "./sessions.css";

type Session = Reply<"GET /v1/agents/{agent}/sessions">["sessions"][number];

const PAGE = 50;
const MOST = 1000;

export default function Sessions() {
  const { argument, query } = useRoute();
  return argument ? <Conversation key={argument} session={argument} wanted={query.get("turn")} /> : <Every />;
}

function SessionName({ of }: { of: string }) {
  return (
    <a className="sessions-name" href={to("sessions", of)}>
      {of}
    </a>
  );
}

function Every() {
  const scope = useScope();
  const [pages, setPages] = useState(1);
  const limit = Math.min(pages * PAGE, MOST);
  const read = useRead("GET /v1/agents/{agent}/sessions", { path: scope.path, query: { ...scope.query, limit } });
  const summaries = useSummaries();
  const columns: Column<Session>[] = [
    { title: "Session", cell: ({ session }) => <SessionName of={session} /> },
    { title: "Summary", look: "wide", cell: ({ session }) => <p className="sessions-gist">{summaries.get(session)?.content ?? "–"}</p> },
    { title: "Turns", look: "end", cell: ({ turns }) => turns },
    { title: "Began", cell: ({ first_at }) => <Time at={first_at} look="day" /> },
    { title: "Last said", cell: ({ last_at }) => <Time at={last_at} /> },
  ];
  return (
    <Page title="Sessions" lead="Conversations as they were observed, word for word. Everything the agent believes leads back to a line in one of them.">
      <Read from={read} what="Reading sessions">
        {({ sessions }) => (
          <>
            {sessions.length ? (
              <Table label="Sessions" rows={sessions} columns={columns} keyOf={({ session }) => session} open={({ session }) => go(to("sessions", session))} />
            ) : (
              <Empty title="Nobody has spoken yet">
                A session appears here as soon as an agent observes its first turn with a session&rsquo;s name. Turns without one belong to no session.
              </Empty>
            )}
            {sessions.length === limit && limit < MOST && (
              <Button className="sessions-more" busy={read.isFetching} onClick={() => setPages(pages + 1)}>
                Show more
              </Button>
            )}
          </>
        )}
      </Read>
    </Page>
  );
}
