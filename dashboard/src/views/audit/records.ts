/** The log as the page shows it: pages read backwards, changes done together side by side. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { call, type Failure } from "../../api/client";
import type { AuditReply, RecordReply } from "../../api/contracts";
import { useScope } from "../../app/scopes";
import { dayOf } from "../../ui/times";

export type Change = RecordReply;

const PAGE = 100;

/** The log, the last change first; `fetchNextPage` goes further back. */
export function useLog() {
  const scope = useScope();
  return useInfiniteQuery<AuditReply, Failure, Change[], unknown[], string | null>({
    queryKey: ["GET /v1/agents/{agent}/audit", scope.agent, scope.user, scope.chat],
    queryFn: ({ pageParam, signal }) =>
      call("GET /v1/agents/{agent}/audit", { path: scope.path, query: { ...scope.query, limit: PAGE, before: pageParam } }, signal),
    initialPageParam: null,
    getNextPageParam: ({ records }) => (records.length === PAGE ? (records.at(-1)?.id ?? null) : null),
    select: ({ pages }) => pages.flatMap(({ records }) => records),
  });
}

export interface Filter {
  actor: string | null;
  operation: string | null;
  /** An id: of an entity, a memory, a link, a batch. */
  about: string | null;
}

/** Whether a change is one of those asked for. */
export function passes(change: Change, { actor, operation, about }: Filter): boolean {
  if (actor && change.actor !== actor) return false;
  if (operation && change.operation !== operation) return false;
  return !about || [change.id, change.batch, change.undoes].includes(about) || JSON.stringify(change.payload).includes(about);
}

/** Changes that were done together, the last first. */
export type Batch = readonly [Change, ...Change[]];

/** The days of the log, each with its batches. */
export function days(changes: readonly Change[]): [day: string, batches: Batch[]][] {
  const found: [string, [Change, ...Change[]][]][] = [];
  for (const change of changes) {
    const day = dayOf(change.at);
    if (found.at(-1)?.[0] !== day) found.push([day, []]);
    const batches = found.at(-1)?.[1];
    const batch = batches?.at(-1);
    if (batch?.[0].batch === change.batch) batch.push(change);
    else batches?.push([change]);
  }
  return found;
}

/** Where `source` and `target` are entities: elsewhere they are texts or aspects. */
const BETWEEN = new Set(["create_link", "record_link", "merge_entities"]);

/** The entities that a change names, by their ids or as they were called. */
export function entitiesOf({ operation, payload }: Change): string[] {
  const fields = BETWEEN.has(operation) ? ["source", "target"] : ["entity", "interface"];
  const named = fields.map((field) => payload[field]);
  return [...new Set(named.filter((value): value is string => typeof value === "string" && value !== ""))];
}

/** Whether a change holds, and the last step of its story: it may have been taken back, and that again. */
export function standing(change: Change, log: readonly Change[]): { holds: boolean; last: Change } {
  let [holds, last] = [true, change];
  for (let next = undoOf(last, log); next; next = undoOf(last, log)) [holds, last] = [!holds, next];
  return { holds: last.undone_by ? !holds : holds, last };
}

function undoOf({ undone_by }: Change, log: readonly Change[]): Change | undefined {
  return undone_by ? log.find((each) => each.id === undone_by) : undefined;
}

/** Changes to take back, and the id of what does it: an operation or a batch. */
export interface Asked {
  changes: Batch;
  operation: string;
}

/** What to name so that changes are taken back. A memory goes with what was learned from it, so with its batch. */
export function toUndo(changes: Batch, log: readonly Change[]): string {
  const { last } = standing(changes[0], log);
  if (last !== changes[0]) return last.id;
  return changes.length > 1 || withItsBatch(last) ? last.batch : last.id;
}

export function withItsBatch({ operation }: Change): boolean {
  return operation === "remember" || operation === "forget";
}

const ACTORS: Record<string, string> = {
  caller: "a caller",
  extraction: "extraction",
  dream: "a dream",
  doctor: "the doctor",
  resolution: "merging of duplicates",
  feedback: "feedback",
  remember: "what was remembered",
  expansion: "expansion",
  import: "an import",
};

/** Who did it, in words where it was a part of Nacre. */
export function actorOf(actor: string): string {
  return ACTORS[actor] ?? actor;
}
