/** The way from one entity to another, along the links that are drawn. */

import { words, type Picture } from "./pictures";

/** The shortest way between two stars, both among it; null where there is none. */
export function pathBetween(picture: Picture, from: string, until: string): string[] | null {
  const before = new Map<string, string | null>([[from, null]]);
  // What is reached is looked at in the order in which it was reached.
  for (const id of before.keys()) {
    if (id === until) return back(before, until);
    for (const near of picture.near.get(id) ?? []) if (!before.has(near)) before.set(near, id);
  }
  return null;
}

function back(before: ReadonlyMap<string, string | null>, until: string): string[] {
  const way: string[] = [];
  for (let at: string | null = until; at !== null; at = before.get(at) ?? null) way.unshift(at);
  return way;
}

export interface Step {
  id: string;
  name: string;
  /** How the one before leads here: "→ works on"; empty for the first. */
  by: string;
}

/** A way in words. */
export function stepsOf(picture: Picture, way: readonly string[]): Step[] {
  return way.map((id, at) => {
    const from = way[at - 1];
    const link = picture.links.find(
      ({ sourceEntityId: one, targetEntityId: other }) => (one === from && other === id) || (one === id && other === from),
    );
    const by = link ? `${link.sourceEntityId === from ? "→" : "←"} ${words(link.dependencyType)}` : "";
    return { id, name: picture.stars.get(id)?.entity.name ?? "", by };
  });
}
