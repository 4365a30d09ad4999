/** What is drawn: the server's constellation behind the reader's filters, as stars and the lines between them. */

import type { Reply } from "../../api/client";
import type { Filters } from "./filters";

export type Constellation = Reply<"GET /api/knowledge/constellation">;
export type Drawn = Constellation["entities"][number];
export type Link = Constellation["dependencies"][number];
export type Proposal = Constellation["proposals"][number];

/** Everything that links two entities, in one line. */
export interface Line {
  key: string;
  source: string;
  target: string;
  labels: string[];
  /** Whether all of it points from the source to the target. */
  directed: boolean;
  strength: number;
}

export interface Picture {
  stars: ReadonlyMap<string, Drawn>;
  lines: readonly Line[];
  /** The links that are drawn, as the server gave them. */
  links: readonly Link[];
  near: ReadonlyMap<string, ReadonlySet<string>>;
}

const DAY = 86_400_000;

/** The part of a constellation that passes the filters. */
export function pictureOf(constellation: Constellation, filters: Pick<Filters, "types" | "confidence" | "first" | "last">): Picture {
  const now = constellation.asOf ? Date.parse(constellation.asOf) : Date.now();
  const recent = (at: string, within: number | null) => within === null || now - Date.parse(at) <= within * DAY;
  const stars = new Map<string, Drawn>();
  for (const drawn of constellation.entities) {
    const { entity } = drawn;
    if (filters.types.length && !filters.types.includes(entity.entityType)) continue;
    if (entity.confidence < filters.confidence) continue;
    if (!recent(entity.createdAt, filters.first) || !recent(drawn.lastMentionedAt ?? entity.createdAt, filters.last)) continue;
    stars.set(entity.id, drawn);
  }
  const links = constellation.dependencies.filter((link) => stars.has(link.sourceEntityId) && stars.has(link.targetEntityId));
  return { stars, links, lines: linesOf(links), near: nearOf(links) };
}

/** A predicate in words: `works_on` is "works on". */
export function words(predicate: string): string {
  return predicate.replaceAll("_", " ");
}

/** What a claim is about within its aspect, in words. */
export function claimName({ groupKey, claimKey }: { groupKey: string; claimKey: string | null }): string {
  const parts = [groupKey, claimKey].filter((part): part is string => part !== null && part !== "general");
  return words(parts.join(" ")) || "said";
}

function linesOf(links: readonly Link[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { sourceEntityId: source, targetEntityId: target, dependencyType, strength } of links) {
    if (source === target) continue;
    const key = source < target ? `${source} ${target}` : `${target} ${source}`;
    const line = lines.get(key);
    if (!line) {
      lines.set(key, { key, source, target, labels: [words(dependencyType)], directed: true, strength });
      continue;
    }
    if (!line.labels.includes(words(dependencyType))) line.labels.push(words(dependencyType));
    line.directed &&= line.source === source;
    line.strength = Math.max(line.strength, strength);
  }
  return [...lines.values()];
}

function nearOf(links: readonly Link[]): Map<string, Set<string>> {
  const near = new Map<string, Set<string>>();
  const add = (one: string, other: string) => near.set(one, (near.get(one) ?? new Set()).add(other));
  for (const { sourceEntityId, targetEntityId } of links) {
    if (sourceEntityId === targetEntityId) continue;
    add(sourceEntityId, targetEntityId);
    add(targetEntityId, sourceEntityId);
  }
  return near;
}

/** The proposals that wait, by the entities they name. */
export function waitingFor(constellation: Constellation): Map<string, Proposal[]> {
  const known = new Map<string, string>();
  for (const { entity, aliases } of constellation.entities)
    for (const name of [entity.id, entity.slug, entity.name, ...aliases]) known.set(name.toLowerCase(), entity.id);
  const waiting = new Map<string, Proposal[]>();
  for (const proposal of constellation.proposals) {
    const named = Object.entries(proposal.payload)
      .filter(([field]) => SUBJECTS.has(field))
      .flatMap(([, value]) => (Array.isArray(value) ? value : [value]));
    const touched = new Set(named.map((value) => (typeof value === "string" ? known.get(value.toLowerCase()) : undefined)));
    for (const id of touched) if (id) waiting.set(id, [...(waiting.get(id) ?? []), proposal]);
  }
  return waiting;
}

const SUBJECTS = new Set(["entity", "entities", "source", "sources", "target", "subject", "object", "name", "speaker"]);
