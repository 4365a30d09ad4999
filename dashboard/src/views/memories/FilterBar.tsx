/** The filters above the table. */

import { useEffect, useState } from "react";
import { setParameter } from "../../app/routes";
import { Choice, Field } from "../../ui/controls";
import type { Filters } from "./filters";

const PAUSE = 250;

export function FilterBar({ filters }: { filters: Filters }) {
  return (
    <search className="memories-filters" aria-label="Memories">
      <Written label="Search" name="q" value={filters.q} placeholder="By words and meaning" type="search" />
      <Written label="Tags" name="tags" value={filters.tags.join(", ")} placeholder="launch, battery" read={tagsOf} />
      <Dated label="Made since" name="since" value={filters.since} />
      <Dated label="Made until" name="until" value={filters.until} />
      <Dated label="As of" name="as_of" value={filters.asOf} />
      <Choice
        label="Matters"
        value={filters.importance ? String(filters.importance) : ""}
        options={[["", "any"], ["0.5", "50 % and up"], ["0.7", "70 % and up"], ["0.9", "90 % and up"]]}
        onChange={(event) => setParameter("importance", event.target.value)}
      />
      <label className="memories-check">
        <input type="checkbox" checked={filters.pinned} onChange={(event) => setParameter("pinned", event.target.checked ? "yes" : null)} />
        Pinned
      </label>
    </search>
  );
}

/** Tags as the address holds them. */
function tagsOf(text: string): string {
  return text.split(",").map((tag) => tag.trim()).filter(Boolean).join(",");
}

interface WrittenProps {
  label: string;
  name: string;
  value: string;
  placeholder: string;
  type?: "search" | "text";
  read?: (text: string) => string;
}

/** A field that waits for a pause before it asks. */
function Written({ label, name, value, placeholder, type = "text", read = (text) => text.trim() }: WrittenProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText((before) => (read(before) === read(value) ? before : value)), [value]);
  useEffect(() => {
    if (read(text) === read(value)) return;
    const timer = window.setTimeout(() => setParameter(name, read(text)), PAUSE);
    return () => window.clearTimeout(timer);
  }, [text]);
  return <Field label={label} type={type} className={`memories-${name}-written`} value={text} placeholder={placeholder} onChange={(event) => setText(event.target.value)} />;
}

function Dated({ label, name, value }: { label: string; name: string; value: string }) {
  return <Field label={label} type="date" value={value} onChange={(event) => setParameter(name, event.target.value)} />;
}
