/** Find an entity by its name, from anywhere. */

import { useDeferredValue, useId, useState, type KeyboardEvent } from "react";
import { useRead } from "../api/queries";
import { kindToken } from "../ui/kinds";
import { go, to } from "./routes";
import { useScope } from "./scopes";

interface Found {
  id: string;
  name: string;
  kind: string;
}

export function Search() {
  const [text, setText] = useState("");
  return <TypeAhead id="search" label="Find an entity" text={text} change={setText} chosen={(found) => go(to("entities", found.id))} />;
}

interface TypeAheadProps {
  id: string;
  label: string;
  text: string;
  change: (text: string) => void;
  chosen: (found: Found) => void;
}

/** A field that offers the entities whose names go on as written. */
export function TypeAhead({ id, label, text, change, chosen }: TypeAheadProps) {
  const scope = useScope();
  const list = useId();
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const asked = useDeferredValue(text.trim());
  const reply = useRead("GET /api/knowledge/entities", { query: { ...scope.api, q: asked, limit: 8 } }, { enabled: asked.length > 0 });
  const found: Found[] = asked ? (reply.data?.items ?? []).map(({ entity }) => ({ id: entity.id, name: entity.name, kind: entity.entityType })) : [];
  const shown = open && asked.length > 0;
  const choose = (each: Found | undefined) => {
    if (!each) return;
    setOpen(false);
    change("");
    chosen(each);
  };
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown") setMarked((at) => Math.min(at + 1, found.length - 1));
    else if (event.key === "ArrowUp") setMarked((at) => Math.max(at - 1, 0));
    else if (event.key === "Enter") choose(found[marked]);
    else if (event.key === "Escape") {
      setOpen(false);
      event.currentTarget.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <div className="search">
      <input
        id={id}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={shown}
        aria-controls={list}
        aria-activedescendant={shown && found[marked] ? `${list}-${marked}` : undefined}
        autoComplete="off"
        placeholder={`${label} …`}
        value={text}
        onChange={(event) => {
          change(event.target.value);
          setMarked(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={pressed}
      />
      {shown && (
        <ul id={list} role="listbox" aria-label={label} className="offers">
          {found.map((each, at) => (
            <li
              key={each.id}
              id={`${list}-${at}`}
              role="option"
              aria-selected={at === marked}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(each);
              }}
            >
              <span>{each.name}</span>
              <small style={{ color: `var(--${kindToken(each.kind)})` }}>{each.kind}</small>
            </li>
          ))}
          {!found.length && (
            <li role="option" aria-selected="false" aria-disabled="true" className="none">
              {reply.isFetching ? "Looking …" : "Nothing has a name like that."}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
