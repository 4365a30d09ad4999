/** The timeline as a list: dated facts of claims and links, and the changes of the audit log, the last first. */

import { isBy } from "./moments";
import { inWords, type Beliefs, type Change, type Claim, type Entity, type Link } from "./replies";

export interface Happening {
  key: string;
  at: string;
  kind: "fact" | "change";
  text: string;
  change?: Change;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/;

export function happenings(changes: readonly Change[], aspects: Beliefs["aspects"], links: readonly Link[], asOf: string | null): Happening[] {
  const facts = [...claimsIn(aspects).flatMap(ofClaim), ...links.flatMap(ofLink)];
  const changed = changes.map((change): Happening => ({ key: change.id, at: change.at, kind: "change", text: "", change }));
  return [...facts, ...changed].filter(({ at }) => isBy(at, asOf)).sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function claimsIn(aspects: Beliefs["aspects"]): Claim[] {
  return aspects.flatMap(({ groups }) => groups.flatMap(({ claims }) => claims));
}

/** When each dated version of a claim began, and when the last of them ended. */
function ofClaim({ path, versions }: Claim): Happening[] {
  const dated = versions.filter(({ attribute }) => attribute.status !== "deleted");
  const began = dated
    .filter(({ attribute }) => attribute.validFrom)
    .map(({ attribute }): Happening => fact(`${attribute.id} began`, attribute.validFrom, `${path} became ${attribute.content}`));
  const ended = dated
    .filter(({ attribute }) => attribute.validUntil && !attribute.supersededBy)
    .map(({ attribute }): Happening => fact(`${attribute.id} ended`, attribute.validUntil, `${path} was no longer ${attribute.content}`));
  return [...began, ...ended];
}

function ofLink(held: Link): Happening[] {
  const { id, validFrom, validUntil } = held.link;
  return [
    ...(validFrom ? [fact(`${id} began`, validFrom, `From then on: ${inWords(held)}`)] : []),
    ...(validUntil ? [fact(`${id} ended`, validUntil, `No longer: ${inWords(held)}`)] : []),
  ];
}

function fact(key: string, at: string | null, text: string): Happening {
  return { key, at: at ?? "", kind: "fact", text };
}

/** What the ids in the log stand for, as far as the page knows: the entity, its claims' values, its links and their ends. */
export function namingOf(entity: Entity, aspects: Beliefs["aspects"], links: readonly Link[]): (selector: string) => string {
  const names = new Map([[entity.id, entity.name]]);
  for (const held of links) {
    const { id, source, target } = held.link;
    names.set(id, inWords(held)).set(source.id, source.name);
    if (target) names.set(target.id, target.name);
  }
  for (const { versions } of claimsIn(aspects)) for (const { attribute } of versions) names.set(attribute.id, `“${attribute.content}”`);
  return (selector) => names.get(selector) ?? (ID.test(selector) ? `…${selector.slice(-6)}` : selector);
}
