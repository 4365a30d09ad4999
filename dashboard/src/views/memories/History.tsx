/** Everything that happened to a memory, the last first, each step with what it changed. */

import type { Failure, Reply } from "../../api/client";
import { useChange, useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { worded } from "../../app/wording";
import { Badge, Button } from "../../ui/controls";
import { Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { isPinned, type Memory } from "./changes";

type Change = Reply<"GET /v1/agents/{agent}/memories/{memory}/history">["changes"][number];

export function History({ memory }: { memory: Memory }) {
  const scope = useScope();
  const read = useRead("GET /v1/agents/{agent}/memories/{memory}/history", { path: { ...scope.path, memory: memory.id }, query: scope.query });
  return (
    <Read from={read}>
      {({ changes }) => (
        <ol className="memories-history" aria-label="History">
          {changes.map((change, at) => (
            <Step key={change.record.id} change={change} before={changes[at + 1]?.memory ?? null} />
          ))}
        </ol>
      )}
    </Read>
  );
}

function Step({ change, before }: { change: Change; before: Memory | null }) {
  const { record, memory } = change;
  return (
    <li>
      <p>
        <strong>{worded(record.operation, record.payload)}</strong> <Time at={record.at} /> by {record.actor}
        {record.undone_by && <Badge tone="warn">taken back</Badge>}
      </p>
      {record.reason && <p>{record.reason}</p>}
      {differences(memory, before).map((words) => (
        <p key={words} className="memories-difference">
          {words}
        </p>
      ))}
      {!record.undone_by && before && <TakeBack operation={record.id} />}
    </li>
  );
}

/** What a step left otherwise than it found it, in words. The first step says the whole text. */
function differences(now: Memory | null, before: Memory | null): string[] {
  if (!now) return ["Nothing was left of it."];
  if (!before) return [`“${now.content}”`];
  const said: string[] = [];
  if (now.content !== before.content) said.push(`Now: “${now.content}”`);
  if (now.category !== before.category) said.push(`Category ${before.category} → ${now.category}`);
  if (now.tags.join() !== before.tags.join()) said.push(`Tags ${before.tags.join(", ") || "none"} → ${now.tags.join(", ") || "none"}`);
  if (now.importance !== before.importance) said.push(`Importance ${percent(before.importance)} → ${percent(now.importance)}`);
  if (isPinned(now) !== isPinned(before)) said.push(isPinned(now) ? "Pinned" : "No longer pinned");
  if (now.status !== before.status) said.push(now.status === "active" ? "Back in force" : "Out of force");
  if (now.reinforced > before.reinforced) said.push("Said again");
  return said;
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function TakeBack({ operation }: { operation: string }) {
  const scope = useScope();
  const toasts = useToasts();
  const undo = useChange("POST /v1/agents/{agent}/undo", (reply) => toasts.done("Taken back.", reply.record?.id));
  const clicked = () =>
    undo.mutate({ path: scope.path, body: { ...scope.query, operation } }, { onError: (failure: Failure) => toasts.failed(failure) });
  return (
    <Button look="quiet" busy={undo.isPending} onClick={clicked}>
      Take back
    </Button>
  );
}
