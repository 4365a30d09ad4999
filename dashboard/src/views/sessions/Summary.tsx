/** What a session came to, and a button to sum it up now. */

import type { Failure, Reply } from "../../api/client";
import { useChange, useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button } from "../../ui/controls";
import { Panel } from "../../ui/pages";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";

type Held = Reply<"GET /v1/agents/{agent}/summaries">["summaries"][number];

/** The summaries there are, by the name of their session. */
export function useSummaries(): Map<string, Held> {
  const scope = useScope();
  const read = useRead("GET /v1/agents/{agent}/summaries", { path: scope.path, query: { ...scope.query, limit: 1000 } });
  return new Map(read.data?.summaries.map((each) => [each.session, each]));
}

export function Summary({ session }: { session: string }) {
  const scope = useScope();
  const toasts = useToasts();
  const held = useSummaries().get(session);
  const summarize = useChange("POST /v1/agents/{agent}/sessions/{session}/summary", ({ notes }) =>
    toasts.done(["The session is summed up.", ...notes].join(" ")),
  );
  const clicked = () =>
    summarize.mutate({ path: { ...scope.path, session }, body: scope.query }, { onError: (failure: Failure) => toasts.failed(failure) });
  return (
    <Panel
      title="Summary"
      tools={
        <Button busy={summarize.isPending} onClick={clicked}>
          {summarize.isPending ? "Summing up …" : held ? "Sum up again" : "Sum up now"}
        </Button>
      }
    >
      {held ? (
        <>
          <p className="sessions-summary">{held.content}</p>
          {held.entities.length > 0 && (
            <p className="sessions-about">
              {held.entities.map((name) => (
                <a key={name} href={to("entities", name)}>
                  {name}
                </a>
              ))}
            </p>
          )}
          <p className="sessions-made">
            <Badge title="How it was made">{held.method}</Badge> of {held.turns} turns, <Time at={held.updated_at} />
          </p>
        </>
      ) : (
        <p className="sessions-made">Not summed up yet. Dreaming does it by itself once a session has come to rest.</p>
      )}
    </Panel>
  );
}
