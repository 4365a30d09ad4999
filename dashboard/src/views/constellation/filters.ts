/** What the reader chose to see. It stands in the address, so that a view can be shared. */

import { go, to } from "../../app/routes";

export interface Filters {
  /** The kinds to show; none means all. */
  types: readonly string[];
  confidence: number;
  /** Days since it was first, or last, heard of. */
  first: number | null;
  last: number | null;
  /** At most so many entities; the most connected are kept. */
  limit: number;
  colourBy: "type" | "community";
  /** Whether entities that proposals touch are marked. */
  marks: boolean;
  /** The moment in view; null is now. */
  at: string | null;
  selected: string | null;
  /** Where a path from the selected one is to end. */
  path: string | null;
  /** Entities whose neighbours are all drawn. */
  expanded: readonly string[];
  /** Which drawer is open. */
  drawer: "list" | "dreams" | null;
}

export const LIMITS = [50, 150, 500, 1500, 5000] as const;
const USUAL = 150;

export function readFilters(query: URLSearchParams): Filters {
  const limit = Number(query.get("limit"));
  const drawer = query.get("drawer");
  return {
    types: query.get("types")?.split(",").filter(Boolean) ?? [],
    confidence: Math.min(1, Math.max(0, Number(query.get("confidence")) || 0)),
    first: days(query.get("first")),
    last: days(query.get("last")),
    limit: LIMITS.find((each) => each === limit) ?? USUAL,
    colourBy: query.get("colour") === "community" ? "community" : "type",
    marks: query.get("marks") !== "off",
    at: moment(query.get("at")),
    selected: query.get("entity"),
    path: query.get("path"),
    expanded: query.get("expand")?.split(",").filter(Boolean) ?? [],
    drawer: drawer === "list" || drawer === "dreams" ? drawer : null,
  };
}

function days(value: string | null): number | null {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : null;
}

function moment(value: string | null): string | null {
  return value && !Number.isNaN(Date.parse(value)) ? value : null;
}

type Changes = Partial<Record<"types" | "confidence" | "first" | "last" | "limit" | "colour" | "marks" | "at" | "entity" | "path" | "expand" | "drawer", string | null>>;

/** Write changes into the address. Only another selection is a step to go back to. */
export function change(changes: Changes): void {
  const here = new URLSearchParams(window.location.hash.split("?", 2)[1]);
  const address = to("", null, { ...Object.fromEntries(here), ...changes });
  go(address, { replace: !("entity" in changes) });
}

/** How many filters hold something back. */
export function narrowing(filters: Filters): number {
  return [filters.types.length > 0, filters.confidence > 0, filters.first !== null, filters.last !== null].filter(Boolean).length;
}

/** With more entities than this, claims are read only of the one that is selected. */
const WHOLE = 500;

export function bare({ limit }: Pick<Filters, "limit">): boolean {
  return limit > WHOLE;
}

/** What the server is asked for. */
export function asked({ limit, at }: Filters) {
  const aspects = bare({ limit }) ? 0 : 8;
  return { limit, aspects, attributes: 6, dependencies: Math.max(500, limit * 3), as_of: at };
}
