/** Which stars have to do with a message: those that its context speaks of, and those that came because of it. */

import type { Constellation } from "../constellation/pictures";
import type { Context } from "../recall/asking";

/** A line counts that is at least this likely, beside the likeliest one, to bear on the message. */
const SHARE = 0.25;

/** The entities that the likely lines of a context are about: by the links and claims they tell of, else by name. */
export function usedIn(context: Context, constellation: Constellation): Set<string> {
  const items = itemsOf(constellation);
  const names = namesOf(constellation);
  const used = new Set<string>();
  const sure = context.lines.filter((line) => line.sure && line.label !== "profile");
  const least = SHARE * Math.max(0, ...sure.map((line) => line.score));
  for (const line of sure.filter(({ score }) => score >= least)) {
    const known = line.items.flatMap((item) => items.get(item) ?? []);
    for (const id of known.length ? known : namedIn(line.text, names)) used.add(id);
  }
  return used;
}

/** The entities that were not there before, or have a new link or claim. */
export function newIn(before: Constellation, after: Constellation): Set<string> {
  const known = new Set([...before.entities.map(({ entity }) => entity.id), ...itemsOf(before).keys()]);
  const came = after.entities.filter(({ entity }) => !known.has(entity.id)).map(({ entity }) => entity.id);
  const told = [...itemsOf(after)].filter(([item]) => !known.has(item)).flatMap(([, ids]) => ids);
  return new Set([...came, ...told]);
}

/** The entities of each link and each claim, by its id. */
function itemsOf({ entities, dependencies }: Constellation): Map<string, string[]> {
  const claims = entities.flatMap(({ entity, aspects }) =>
    aspects.flatMap(({ attributes }) => attributes.map((claim): [string, string[]] => [claim.id, [entity.id]])),
  );
  return new Map([...claims, ...dependencies.map((link): [string, string[]] => [link.id, [link.sourceEntityId, link.targetEntityId]])]);
}

const SHORTEST = 3;

function namesOf({ entities }: Constellation): [name: RegExp, id: string][] {
  return entities.flatMap(({ entity, aliases }) =>
    [entity.name, ...aliases].filter((name) => name.length >= SHORTEST && /\p{L}/u.test(name)).map((name): [RegExp, string] => [whole(name), entity.id]),
  );
}

function whole(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "iu");
}

function namedIn(text: string, names: readonly [RegExp, string][]): string[] {
  return names.filter(([name]) => name.test(text)).map(([, id]) => id);
}
