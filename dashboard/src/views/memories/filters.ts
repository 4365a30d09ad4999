/** What the table of memories is narrowed to. It stands in the address. */

import { go, to, useRoute } from "../../app/routes";
import { dayEnd, dayStart } from "../../ui/days";

export interface Filters {
  q: string;
  category: string;
  tags: string[];
  /** Days, as date fields hold them. */
  since: string;
  until: string;
  asOf: string;
  pinned: boolean;
  /** Only memories that matter at least so much, from 0 to 1. */
  importance: number;
}

/** The filters in the address. */
export function useFilters(): Filters {
  const { query } = useRoute();
  const said = (name: string) => query.get(name) ?? "";
  return {
    q: said("q"),
    category: said("category"),
    tags: said("tags").split(",").filter(Boolean),
    since: said("since"),
    until: said("until"),
    asOf: said("as_of"),
    pinned: said("pinned") === "yes",
    importance: Number(said("importance")) || 0,
  };
}

/** Whether anything is left out. */
export function narrowed(filters: Filters): boolean {
  const { q, category, tags, since, until, asOf, pinned, importance } = filters;
  return Boolean(q || category || tags.length || since || until || asOf || pinned || importance);
}

/** The filters as the API takes them. Pins and importance it does not know; the table looks at those itself. */
export function asked({ q, category, tags, since, until, asOf }: Filters) {
  return { query: q, category, tags, since: dayStart(since), until: dayEnd(until), as_of: dayEnd(asOf) };
}

/** Unfold one memory, or none, and keep the filters. */
export function unfold(memory: string | null): void {
  const query = new URLSearchParams(window.location.hash.split("?", 2)[1] ?? "");
  go(to("memories", memory, Object.fromEntries(query)), { replace: true });
}
