/** Beside the stage: the same entities in words, and what nights of dreaming came to. */

import { useState, type KeyboardEvent, type ReactNode } from "react";
import { to } from "../../app/routes";
import { Badge, Button } from "../../ui/controls";
import { kindToken } from "../../ui/kinds";
import { Time } from "../../ui/times";
import { passTitle } from "../dreams/passes";
import { change } from "./filters";
import { standing } from "./looks";
import { words, type Constellation, type Picture } from "./pictures";

const PAGE = 200;
const NOBODY: ReadonlySet<string> = new Set();

interface ListProps {
  picture: Picture;
  selected: string | null;
  choose: (id: string) => void;
}

export function ListDrawer({ picture, selected, choose }: ListProps) {
  const [most, setMost] = useState(PAGE);
  const all = [...picture.stars.values()];
  const near = (selected && picture.near.get(selected)) || NOBODY;
  return (
    <Drawer title="Entities">
      <ul className="constellation-list" onKeyDown={arrows}>
        {all.slice(0, most).map(({ entity, degree }) => (
          <li key={entity.id}>
            <button
              type="button"
              aria-current={entity.id === selected}
              data-standing={standing(entity.id, { selected: selected && picture.stars.has(selected) ? selected : null, near, lit: NOBODY })}
              onClick={() => choose(entity.id)}
            >
              <span>{entity.name}</span>
              <small style={{ color: `var(--${kindToken(entity.entityType)})` }}>{words(entity.entityType)}</small>
              <small>{degree === 1 ? "1 link" : `${degree} links`}</small>
            </button>
          </li>
        ))}
      </ul>
      {all.length > most && <Button onClick={() => setMost(most + PAGE)}>Show more of {all.length.toLocaleString()}</Button>}
    </Drawer>
  );
}

/** Up and down go from one button of a list to the next. */
export function arrows(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, next))]?.focus();
}

export function DreamDrawer({ dreams }: { dreams: Constellation["dreams"] }) {
  return (
    <Drawer title="Dreams">
      {dreams.length ? (
        <ol className="constellation-dreams">
          {dreams.map((dream) => (
            <li key={dream.id}>
              <p>
                <Time at={dream.startedAt} /> <Badge tone={dream.status === "failed" ? "bad" : "plain"}>{dream.status}</Badge>
              </p>
              <ul>
                {dreamt(dream.report).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      ) : (
        <p className="constellation-soft">While nobody talks to it, the agent tidies what it knows. It has not done so yet.</p>
      )}
      <a href={to("dreams")}>All dream reports</a>
    </Drawer>
  );
}

interface Pass {
  name?: string;
  status?: string;
  changes?: { what?: string }[];
}

/** What each pass did, in a line. */
function dreamt(report: Record<string, unknown>): string[] {
  const passes = Array.isArray(report.passes) ? (report.passes as Pass[]) : [];
  const busy = passes.filter(({ changes }) => changes?.length);
  if (!busy.length) return ["Nothing had to be done."];
  return busy.map(({ name, changes = [] }) => {
    const more = changes.length > 1 ? `, and ${changes.length - 1} more` : "";
    return `${passTitle(name ?? "")}: ${(changes[0]?.what ?? "").replace(/\.$/, "")}${more}`;
  });
}

function Drawer({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="constellation-drawer" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <Button look="quiet" aria-label="Close" onClick={() => change({ drawer: null })}>
          ✕
        </Button>
      </header>
      {children}
    </section>
  );
}
