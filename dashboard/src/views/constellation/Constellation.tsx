/** The constellation: everything an agent knows as one picture, now or at any moment before. */

import { useEffect, useMemo, useState } from "react";
import { useRead } from "../../api/queries";
import { useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Empty, Failed, Waiting } from "../../ui/states";
import { Start } from "../start/Start";
import { useAround } from "./around";
import { Bar } from "./Bar";
import { Canvas } from "./Canvas";
import { changeBetween, told } from "./changes";
import { Detail, Undrawn } from "./Detail";
import { DreamDrawer, ListDrawer } from "./Drawers";
import { asked, change, readFilters, type Filters } from "./filters";
import { useExpanded } from "./expansions";
import { Legend } from "./Legend";
import { PathFinder } from "./PathFinder";
import { pathBetween } from "./paths";
import { pictureOf, waitingFor, type Constellation as Reply } from "./pictures";
import { Timeline } from "./Timeline";
import "./constellation.css";

export default function Constellation() {
  const scope = useScope();
  const written = useRoute().query.toString();
  const filters = useMemo(() => readFilters(new URLSearchParams(written)), [written]);
  const reply = useRead("GET /api/knowledge/constellation", { query: { ...scope.api, ...asked(filters) } });
  const constellation = useExpanded(reply.data, filters.expanded, filters.at);
  useEffect(() => {
    document.title = "Constellation · Nacre";
  }, []);
  const key = JSON.stringify(scope.api);
  return (
    <div className="constellation">
      <h1 className="visually-hidden">Constellation</h1>
      {constellation ? (
        constellation.range.earliest ? (
          <Sky key={key} scope={key} constellation={constellation} filters={filters} reading={reply.isPlaceholderData} />
        ) : (
          <Start />
        )
      ) : reply.error ? (
        <Failed failure={reply.error} again={() => void reply.refetch()} />
      ) : (
        <Waiting what="Reading the graph" />
      )}
    </div>
  );
}

interface SkyProps {
  scope: string;
  constellation: Reply;
  filters: Filters;
  /** Whether another moment is being read. */
  reading: boolean;
}

function Sky({ scope, constellation, filters, reading }: SkyProps) {
  const { types, confidence, first, last, selected } = filters;
  const picture = useMemo(() => pictureOf(constellation, { types, confidence, first, last }), [constellation, types.join(), confidence, first, last]);
  const waiting = useMemo(() => waitingFor(constellation), [constellation]);
  const drawn = selected ? picture.stars.get(selected) : undefined;
  const around = useAround(drawn, filters, waiting);
  const changes = useChanges(constellation);
  const choose = (id: string | null) => change({ entity: id, path: null });
  const way = useMemo(() => (drawn && filters.path ? pathBetween(picture, drawn.entity.id, filters.path) : null), [picture, drawn, filters.path]);
  const lit = useMemo(() => new Set(way), [way]);
  const expand = (id: string) => change({ expand: [...new Set([...filters.expanded, id])].join() });
  return (
    <>
      <Bar constellation={constellation} picture={picture} filters={filters} choose={choose} />
      <div className="constellation-body">
        {filters.drawer === "list" && <ListDrawer picture={picture} selected={selected} choose={choose} />}
        {filters.drawer === "dreams" && <DreamDrawer dreams={constellation.dreams} />}
        <Canvas scope={scope} constellation={constellation} picture={picture} waiting={waiting} around={around} filters={filters} lit={lit} choose={choose}>
          <Legend constellation={constellation} filters={filters} />
          {!picture.stars.size && <NoneLeft past={filters.at !== null} />}
        </Canvas>
        {drawn && (
          <Detail drawn={drawn} constellation={constellation} picture={picture} around={around} choose={choose} expand={expand}>
            <PathFinder until={filters.path} way={way} picture={picture} choose={choose} />
          </Detail>
        )}
        {selected && !drawn && <Undrawn id={selected} constellation={constellation} close={() => choose(null)} />}
      </div>
      <Timeline range={constellation.range} at={filters.at} changes={changes} reading={reading} />
    </>
  );
}

function NoneLeft({ past }: { past: boolean }) {
  return (
    <div className="constellation-none">
      <Empty title="Nothing to draw">{past ? "Nothing that passes the filters was known at that moment." : "No entity passes the filters."}</Empty>
    </div>
  );
}

/** What changed since the moment that was in view before this one. */
function useChanges(constellation: Reply): { since: string | null; lines: string[] } | null {
  const [seen, setSeen] = useState<{ now: Reply; before: Reply | null }>({ now: constellation, before: null });
  if (seen.now !== constellation) setSeen({ now: constellation, before: seen.now.asOf === constellation.asOf ? seen.before : seen.now });
  return useMemo(() => seen.before && { since: seen.before.asOf, lines: told(changeBetween(seen.before, seen.now)) }, [seen]);
}
