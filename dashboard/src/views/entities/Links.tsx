/** How an entity stands to others, both ways, by relation. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Button, Meter } from "../../ui/controls";
import { Panel } from "../../ui/pages";
import { Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { AddLink } from "./AddLink";
import { Validity } from "./ClaimRow";
import { EndDialog, type Ending } from "./EndDialog";
import { Quote } from "./Quote";
import { inWords, plain, type Link } from "./replies";
import type { Shown } from "./shown";

const MOST = 200;

/** The links of an entity now, or at a moment. */
export function useLinks({ entity, asOf }: Shown) {
  const scope = useScope();
  return useRead("GET /api/knowledge/entities/{entity}/links", {
    path: { entity: entity.id },
    query: { ...scope.api, as_of: asOf, limit: MOST },
  });
}

export function Links({ shown }: { shown: Shown }) {
  const links = useLinks(shown);
  const [adding, setAdding] = useState(false);
  const tools = !shown.fixed && <Button onClick={() => setAdding(true)}>Add a link …</Button>;
  return (
    <Panel title="Links" tools={tools}>
      <Read from={links} what="Reading the links">
        {({ items }) =>
          items.length ? (
            <>
              {relations(items).map(([relation, members]) => (
                <Relation key={relation} links={members} shown={shown} />
              ))}
              {items.length === MOST && <p className="entities-none">These are the {MOST} strongest.</p>}
            </>
          ) : (
            <p className="entities-none">{shown.asOf ? "It was linked to nothing then." : "It is linked to nothing yet."}</p>
          )
        }
      </Read>
      {adding && <AddLink entity={shown.entity} close={() => setAdding(false)} />}
    </Panel>
  );
}

/** Links by direction and relation, in the order in which they come. */
function relations(links: readonly Link[]): [string, Link[]][] {
  const groups = new Map<string, Link[]>();
  for (const link of links) {
    const key = `${link.direction} ${link.link.dependencyType}`;
    groups.set(key, [...(groups.get(key) ?? []), link]);
  }
  return [...groups];
}

function Relation({ links, shown }: { links: readonly Link[]; shown: Shown }) {
  const first = links[0];
  if (!first) return null;
  const outgoing = first.direction === "outgoing";
  return (
    <section className="entities-relation">
      <h3>
        <span aria-hidden="true">{outgoing ? "→" : "←"}</span> {plain(first.link.dependencyType)}
        <span className="visually-hidden">{outgoing ? ", from here" : ", to here"}</span>
      </h3>
      <ul>
        {links.map((link) => (
          <LinkRow key={link.link.id} held={link} shown={shown} />
        ))}
      </ul>
    </section>
  );
}

function LinkRow({ held, shown }: { held: Link; shown: Shown }) {
  const [open, setOpen] = useState(false);
  const [ending, setEnding] = useState(false);
  const { link, citation } = held;
  const other = held.direction === "outgoing" ? link.target : link.source;
  const line = inWords(held);
  return (
    <li className="entities-link" aria-label={line}>
      <div>
        {other ? <a href={to("entities", other.id, { as_of: shown.asOf })}>{other.name}</a> : <span>{link.value}</span>}
        <span className="entities-about">
          <Validity from={link.validFrom} until={link.validUntil} />
          <Meter value={link.strength} label="Strength" />
          <button type="button" className="entities-unfold" aria-expanded={open} aria-label={`Why: ${line}`} title="Why" onClick={() => setOpen(!open)}>
            {open ? "▾" : "▸"}
          </button>
        </span>
      </div>
      {open && (
        <div className="entities-because">
          <div className="entities-says">
            <p className="entities-why">
              Confidence {percent(link.confidence)}, strength {percent(link.strength)}, learned <Time at={link.createdAt} look="day" />
            </p>
            {!shown.fixed && (
              <Button className="entities-small" aria-label={`End: ${line}`} onClick={() => setEnding(true)}>
                End …
              </Button>
            )}
          </div>
          {link.reason && <p className="entities-why">{link.reason}</p>}
          {citation && <Quote of={citation} />}
        </div>
      )}
      {ending && <EndDialog ending={unlinking(link.id, line)} close={() => setEnding(false)} />}
    </li>
  );
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function unlinking(link: string, line: string): Ending {
  return {
    what: line,
    ended: (until) => ({ operation: "update_link", payload: { link, valid_to: until }, said: `Ended: ${line}.` }),
    wrong: () => ({ operation: "archive_link", payload: { link }, said: `Removed: ${line}.` }),
  };
}
