/** Find an entity, filter, and open a drawer. */

import { useState } from "react";
import { TypeAhead } from "../../app/Search";
import { Button, Choice } from "../../ui/controls";
import { change, LIMITS, narrowing, type Filters } from "./filters";
import type { Constellation, Picture } from "./pictures";

interface BarProps {
  constellation: Constellation;
  picture: Picture;
  filters: Filters;
  choose: (id: string | null) => void;
}

export function Bar({ constellation, picture, filters, choose }: BarProps) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const narrow = narrowing(filters);
  const drawer = (name: "list" | "dreams") => change({ drawer: filters.drawer === name ? null : name });
  return (
    <header className="constellation-bar">
      <TypeAhead id="constellation-search" label="Find in the constellation" text={text} change={setText} chosen={(found) => choose(found.id)} />
      <p className="constellation-count">{counted(constellation, picture)}</p>
      <div className="constellation-tools">
        <Button aria-expanded={open} aria-controls="constellation-filters" onClick={() => setOpen(!open)}>
          Filters{narrow ? ` (${narrow})` : ""}
        </Button>
        <Button aria-pressed={filters.drawer === "list"} onClick={() => drawer("list")}>
          List
        </Button>
        <Button aria-pressed={filters.drawer === "dreams"} onClick={() => drawer("dreams")}>
          Dreams
        </Button>
      </div>
      {open && <FilterPanel filters={filters} waiting={constellation.proposals.length} />}
    </header>
  );
}

function counted({ totals, entities }: Constellation, { stars, links }: Picture): string {
  const all = totals.entities.toLocaleString();
  const shown = stars.size.toLocaleString();
  const what = stars.size === totals.entities ? `${all} entities` : `${shown} of ${all} entities`;
  const why = entities.length < totals.entities ? ", the most connected" : "";
  return `${what}${why} · ${links.length.toLocaleString()} links`;
}

const AGES = [
  ["", "at any time"],
  ["7", "within a week"],
  ["30", "within 30 days"],
  ["90", "within 90 days"],
  ["365", "within a year"],
] as const;

/** What was chosen; null is no filter. */
function chosen({ target }: { target: { value: string } }): string | null {
  return target.value === "0" ? null : target.value || null;
}

function FilterPanel({ filters, waiting }: { filters: Filters; waiting: number }) {
  const clear = () => change({ types: null, confidence: null, first: null, last: null });
  return (
    <section id="constellation-filters" className="constellation-filters" aria-label="Filters">
      <label className="field">
        <span className="label">Confidence of at least {Math.round(filters.confidence * 100)} %</span>
        <input type="range" min="0" max="1" step="0.05" value={filters.confidence} onChange={(event) => change({ confidence: chosen(event) })} />
      </label>
      <Choice label="First seen" options={AGES} value={String(filters.first ?? "")} onChange={(event) => change({ first: chosen(event) })} />
      <Choice label="Last mentioned" options={AGES} value={String(filters.last ?? "")} onChange={(event) => change({ last: chosen(event) })} />
      <Choice
        label="Draw at most"
        options={LIMITS.map((limit) => [String(limit), `${limit.toLocaleString()} entities`])}
        value={String(filters.limit)}
        onChange={(event) => change({ limit: event.target.value })}
      />
      <label className="constellation-check">
        <input type="checkbox" checked={filters.marks} onChange={(event) => change({ marks: event.target.checked ? null : "off" })} />
        Mark what proposals touch ({waiting})
      </label>
      <Button look="quiet" disabled={!narrowing(filters)} onClick={clear}>
        Clear filters
      </Button>
    </section>
  );
}
