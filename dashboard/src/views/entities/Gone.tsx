/** An entity that is not in force: why, as far as the log tells, and the way back. */

import { useChange, useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { useOperations } from "./operations";
import { Refusal } from "./refusals";
import type { Change } from "./replies";

const LOOKED_THROUGH = 200;

export function Gone({ id }: { id: string }) {
  const scope = useScope();
  const log = useRead("GET /v1/agents/{agent}/audit", { path: scope.path, query: { ...scope.query, limit: LOOKED_THROUGH } });
  return (
    <Page title="Not in force">
      <Read from={log} what="Looking for it in the log">
        {({ records }) => {
          const ended = records.find((record) => !record.undone_by && ends(record, id));
          return ended ? <Ended id={id} by={ended} /> : <Missing id={id} />;
        }}
      </Read>
    </Page>
  );
}

/** Whether a change of the log took an entity out of force. */
function ends({ operation, payload }: Change, id: string): boolean {
  return (operation === "archive_entity" && payload.entity === id) || (operation === "merge_entities" && payload.source === id);
}

function Ended({ id, by }: { id: string; by: Change }) {
  const scope = useScope();
  const toasts = useToasts();
  const undo = useChange("POST /v1/agents/{agent}/undo", (reply) => toasts.done(reply.summary, reply.record?.id));
  const merged = by.operation === "merge_entities" ? String(by.payload.target) : null;
  const before = new Date(Date.parse(by.at) - 1).toISOString();
  return (
    <Empty title={merged ? "This became part of another" : "This is archived"}>
      <p>
        {merged ? "It was merged" : "It was archived"} on <Time at={by.at} /> by {by.actor}
        {by.reason ? `, because: ${by.reason}` : "."}
      </p>
      <div className="entities-ways">
        {merged && <a href={to("entities", merged)}>Go to what it became</a>}
        <a href={to("entities", id, { as_of: before })}>See it as it was</a>
        <Button busy={undo.isPending} onClick={() => undo.mutate({ path: scope.path, body: { operation: by.id, ...scope.query } })}>
          {merged ? "Take them apart again" : "Bring it back"}
        </Button>
      </div>
      {undo.error && <Refusal>{undo.error.message}</Refusal>}
    </Empty>
  );
}

function Missing({ id }: { id: string }) {
  const { apply, busy, failure } = useOperations();
  return (
    <Empty title="Nothing in force goes by this">
      <p>
        <code>{id}</code> may belong to another agent or user, or have been forgotten. If it was archived some time ago, it can be brought back.
      </p>
      <div className="entities-ways">
        <a href={to("entities")}>All entities</a>
        <Button busy={busy} onClick={() => apply({ operation: "restore_entity", payload: { entity: id } })}>
          Bring it back
        </Button>
      </div>
      {failure && <Refusal>{failure.message}</Refusal>}
    </Empty>
  );
}
