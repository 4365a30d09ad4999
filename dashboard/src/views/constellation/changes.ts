/** What differs between two moments of a constellation, in words. */

import { claimName, type Constellation } from "./pictures";

export interface Change {
  arrived: string[];
  left: string[];
  linked: number;
  unlinked: number;
  facts: Fact[];
}

interface Fact {
  entity: string;
  claim: string;
  before: string | null;
  after: string | null;
}

/** What is there after and was not before, and the other way round. */
export function changeBetween(before: Constellation, after: Constellation): Change {
  const [old, young] = [names(before), names(after)];
  const missing = (one: Constellation, other: Constellation) => {
    const there = new Set(other.dependencies.map(({ id }) => id));
    return one.dependencies.filter(({ id }) => !there.has(id)).length;
  };
  return {
    arrived: [...young].filter(([id]) => !old.has(id)).map(([, name]) => name),
    left: [...old].filter(([id]) => !young.has(id)).map(([, name]) => name),
    linked: missing(after, before),
    unlinked: missing(before, after),
    facts: factsBetween(facts(before), facts(after)),
  };
}

function names({ entities }: Constellation): Map<string, string> {
  return new Map(entities.map(({ entity }) => [entity.id, entity.name]));
}

function facts({ entities }: Constellation): Map<string, Fact> {
  const found = new Map<string, Fact>();
  for (const { entity, aspects } of entities)
    for (const { aspect, attributes } of aspects)
      for (const { groupKey, claimKey, content } of attributes) {
        const key = JSON.stringify([entity.id, aspect.id, groupKey, claimKey]);
        const said = found.get(key)?.after;
        const after = said ? [said, content].sort().join(" and ") : content;
        found.set(key, { entity: entity.name, claim: claimName({ groupKey, claimKey }), before: null, after });
      }
  return found;
}

function factsBetween(old: Map<string, Fact>, young: Map<string, Fact>): Fact[] {
  const changed: Fact[] = [];
  for (const [key, fact] of young) {
    const before = old.get(key)?.after ?? null;
    if (before !== fact.after) changed.push({ ...fact, before });
  }
  for (const [key, fact] of old) if (!young.has(key)) changed.push({ ...fact, before: fact.after, after: null });
  // What was changed tells more than what was added.
  return changed.sort((a, b) => Number(b.before !== null && b.after !== null) - Number(a.before !== null && a.after !== null));
}

const NAMED = 3;

/** The change as short sentences; none where nothing changed. */
export function told({ arrived, left, linked, unlinked, facts: changed }: Change): string[] {
  const parts = [
    arrived.length ? `+ ${listed(arrived, "entities")}` : "",
    left.length ? `− ${listed(left, "entities")}` : "",
    linked ? `+ ${counted(linked, "link")}` : "",
    unlinked ? `− ${counted(unlinked, "link")}` : "",
    ...changed.slice(0, 2).map(factTold),
    changed.length > 2 ? `${counted(changed.length - 2, "more fact")} changed` : "",
  ];
  return parts.filter(Boolean);
}

function factTold({ entity, claim, before, after }: Fact): string {
  if (before === null) return `${entity}, ${claim}: ${after}`;
  if (after === null) return `${entity}, ${claim}: no longer ${before}`;
  return `${entity}, ${claim}: ${before} → ${after}`;
}

function listed(all: readonly string[], many: string): string {
  return all.length <= NAMED ? all.join(", ") : `${all.length} ${many} (${all.slice(0, 2).join(", ")} …)`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
