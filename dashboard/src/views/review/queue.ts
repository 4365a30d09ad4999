/** All that waits for a person, as one queue: conflicts, proposals, duplicates, then what looks wrong. */

import type { Failure } from "../../api/client";
import type { ConflictReply, HygieneReply, KgCandidateReply, MentionReply, ProposalReply, SuspiciousReply, TwinsReply } from "../../api/contracts";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";

export const KINDS = ["conflict", "proposal", "duplicate", "hygiene"] as const;
export type QueueKind = (typeof KINDS)[number];

export type Finding =
  | { is: "suspicious"; entity: SuspiciousReply }
  | { is: "twins"; twins: TwinsReply }
  | { is: "mention"; mention: MentionReply };

export type ProposalItem = { kind: "proposal"; id: string; proposal: ProposalReply };
export type ConflictItem = { kind: "conflict"; id: string; conflict: ConflictReply; proposals: ProposalReply[] };
export type DuplicateItem = { kind: "duplicate"; id: string; pair: KgCandidateReply };
export type HygieneItem = { kind: "hygiene"; id: string; finding: Finding };
export type Item = ProposalItem | ConflictItem | DuplicateItem | HygieneItem;

export interface Queue {
  items: Item[];
  counts: Record<QueueKind, number>;
  /** Claims that could be told better; there is nothing to decide about them one by one. */
  claims: HygieneReply["attributeSummary"] | null;
  /** Whether there is more than one page of something. */
  more: boolean;
}

const MOST = 200;

export interface QueueRead {
  queue: Queue | null;
  failure: Failure | null;
  again: () => void;
}

/** The queue of the scope in view. */
export function useQueue(): QueueRead {
  const scope = useScope();
  const proposals = useRead("GET /api/ontology/proposals", { query: { ...scope.api, status: "pending", limit: MOST } });
  const conflicts = useRead("GET /api/ontology/proposals/conflicts", { query: { ...scope.api, limit: MOST } });
  const pairs = useRead("GET /v1/agents/{agent}/kg/dedup", { path: scope.path, query: { ...scope.graph, limit: MOST } });
  const apart = useRead("GET /v1/agents/{agent}/kg/dedup", { path: scope.path, query: { ...scope.graph, status: "dismissed", limit: MOST } });
  const hygiene = useRead("GET /api/knowledge/hygiene", { query: { ...scope.api, limit: MOST } });
  const reads = [proposals, conflicts, pairs, apart, hygiene];
  const failure = reads.map((each) => each.error).find((error) => error !== null) ?? null;
  const again = () => void Promise.all(reads.map((each) => each.refetch()));
  if (!proposals.data || !conflicts.data || !pairs.data || !apart.data || !hygiene.data) return { queue: null, failure, again };
  const items = [
    ...proposed(proposals.data.items, conflicts.data.items),
    ...pairs.data.map((pair): Item => ({ kind: "duplicate", id: `duplicate-${pair.id}`, pair })),
    ...found(hygiene.data, [...pairs.data, ...apart.data]),
  ];
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, items.filter((item) => item.kind === kind).length])) as Queue["counts"];
  const more = proposals.data.items.length === MOST || pairs.data.length === MOST || hygiene.data.suspiciousEntities.length === MOST;
  return { queue: { items, counts, claims: hygiene.data.attributeSummary, more }, failure: null, again };
}

/** Conflicts, then the proposals that have no rival: one that has is decided on together with its rivals. */
function proposed(waiting: ProposalReply[], conflicts: ConflictReply[]): Item[] {
  const known = new Map(waiting.map((each) => [each.id, each]));
  const rivals = conflicts.flatMap((conflict): ConflictItem[] => {
    const proposals = conflict.proposalIds.flatMap((id) => known.get(id) ?? []);
    return proposals.length > 1 ? [{ kind: "conflict", id: `conflict-${conflict.proposalIds[0]}`, conflict, proposals }] : [];
  });
  const taken = new Set(rivals.flatMap(({ proposals }) => proposals.map((each) => each.id)));
  const alone = waiting.filter((each) => !taken.has(each.id));
  return [...rivals, ...alone.map((proposal): Item => ({ kind: "proposal", id: `proposal-${proposal.id}`, proposal }))];
}

/** What looks wrong. Of one name, only those are shown that nobody compares or has compared as a pair. */
function found(hygiene: HygieneReply, pairs: KgCandidateReply[]): Item[] {
  const compared = new Set(pairs.flatMap(({ entity_a: one, entity_b: other }) => [one.id + other.id, other.id + one.id]));
  const known = (ids: readonly string[]) => ids.every((one, at) => ids.slice(at + 1).every((other) => compared.has(one + other)));
  const twins = hygiene.duplicateEntities.filter((each) => !known(each.ids));
  return [
    ...twins.map((each): Item => ({ kind: "hygiene", id: `twins-${each.ids[0]}`, finding: { is: "twins", twins: each } })),
    ...hygiene.suspiciousEntities.map((entity): Item => ({ kind: "hygiene", id: `entity-${entity.id}`, finding: { is: "suspicious", entity } })),
    ...hygiene.safeMentionCandidates.map(
      (mention): Item => ({ kind: "hygiene", id: `mention-${mention.memoryId}-${mention.entityId}`, finding: { is: "mention", mention } }),
    ),
  ];
}

/** When an item came up, where that is known. */
export function ageOf(item: Item): string | null {
  if (item.kind === "proposal") return item.proposal.createdAt;
  if (item.kind === "conflict") return item.proposals.map((each) => each.createdAt).sort().at(-1) ?? null;
  if (item.kind === "duplicate") return new Date(item.pair.created_at * 1000).toISOString();
  return null;
}

/** How sure a proposal or how alike a pair is, from 0 to 1, where that is known. */
export function scoreOf(item: Item): [label: string, value: number] | null {
  if (item.kind === "proposal") return item.proposal.confidence === null ? null : ["Confidence", item.proposal.confidence];
  if (item.kind === "duplicate") return ["Alike", item.pair.similarity];
  return null;
}
