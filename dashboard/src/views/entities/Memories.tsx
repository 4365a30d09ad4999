/** What was remembered and said of an entity: memories that name it, and its mentions in their context. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button } from "../../ui/controls";
import { Panel } from "../../ui/pages";
import { Time } from "../../ui/times";
import { InForce } from "./InForce";
import { isBy } from "./moments";
import { Quote } from "./Quote";
import type { Shown } from "./shown";

const FIRST = 5;
const STEP = 20;

export function Memories({ shown }: { shown: Shown }) {
  const scope = useScope();
  const [limit, setLimit] = useState(FIRST);
  const memories = useRead("GET /api/knowledge/entities/{entity}/memories", { path: { entity: shown.entity.id }, query: { ...scope.api, limit } });
  return (
    <Panel title="Memories">
      <InForce from={memories} shown={shown} what="Reading the memories">
        {({ items }) => (
          <>
            <ul className="entities-list">
              {items.filter(({ createdAt }) => isBy(createdAt, shown.asOf)).map((memory) => (
                <li key={memory.id}>
                  <a href={to("memories", memory.id)}>{memory.content}</a>
                  <div className="entities-about">
                    <Badge>{memory.category}</Badge>
                    {memory.pinned && <Badge tone="accent">pinned</Badge>}
                    <Time at={memory.createdAt} look="day" />
                  </div>
                </li>
              ))}
            </ul>
            {!items.length && <p className="entities-none">No memory names it.</p>}
            <More shown={items.length >= limit} click={() => setLimit(limit + STEP)} />
          </>
        )}
      </InForce>
    </Panel>
  );
}

export function Mentions({ shown }: { shown: Shown }) {
  const scope = useScope();
  const [limit, setLimit] = useState(FIRST);
  const mentions = useRead("GET /api/knowledge/entities/{entity}/mentions", { path: { entity: shown.entity.id }, query: { ...scope.api, limit } });
  return (
    <Panel title="Mentions">
      <InForce from={mentions} shown={shown} what="Reading where it was spoken of">
        {({ items }) => (
          <>
            {items.filter(({ at }) => isBy(at, shown.asOf)).map((citation) => (
              <Quote key={`${citation.sourceId} ${citation.start}`} of={citation} />
            ))}
            {!items.length && <p className="entities-none">Nobody has spoken of it by name.</p>}
            <More shown={items.length >= limit} click={() => setLimit(limit + STEP)} />
          </>
        )}
      </InForce>
    </Panel>
  );
}

/** A button for the next ones, where there may be any. */
export function More({ shown, click }: { shown: boolean; click: () => void }) {
  return shown ? <Button onClick={click}>Show more</Button> : null;
}
