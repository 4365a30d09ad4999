/** All there is to a memory but its text: what it rests on, what happened to it, and what can be done with it. */

import { useEffect, useState } from "react";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Badge, Button } from "../../ui/controls";
import { Fact } from "../../ui/facts";
import { Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { InContext } from "../sessions/InContext";
import { isPinned, useMemoryChanges, type Memory } from "./changes";
import { Forget } from "./Forget";
import { History } from "./History";
import { Slider } from "./Slider";

/** `then`: the memory is shown as it was at an earlier moment, so it is not changed from here. */
export function Detail({ memory, then }: { memory: Memory; then: boolean }) {
  const gone = memory.status !== "active";
  return (
    <article className="memories-detail" aria-label="Memory">
      {gone && (
        <p>
          <Badge tone="bad">out of force</Badge> since <Time at={memory.archived_at} />
          {memory.archive_reason ? `: ${memory.archive_reason}` : ""}. Its history below can take that back.
        </p>
      )}
      {!gone && !then && <Controls memory={memory} />}
      <div className="memories-sides">
        <section>
          <h2>Rests on</h2>
          <Evidence memory={memory} />
        </section>
        <section>
          <h2>History</h2>
          <History memory={memory} />
        </section>
      </div>
      <Facts memory={memory} />
    </article>
  );
}

function Controls({ memory }: { memory: Memory }) {
  const changes = useMemoryChanges(memory);
  const [importance, setImportance] = useState(memory.importance);
  const [forgetting, setForgetting] = useState<"forget" | "purge" | null>(null);
  useEffect(() => setImportance(memory.importance), [memory.importance]);
  const weigh = () => {
    if (importance !== memory.importance && !changes.busy) changes.weigh(importance);
  };
  return (
    <div className="memories-controls">
      <Slider label="Importance" value={importance} change={setImportance} done={weigh} />
      <Button aria-pressed={isPinned(memory)} busy={changes.busy} onClick={changes.togglePin}>
        {isPinned(memory) ? "Unpin" : "Pin"}
      </Button>
      <span className="memories-ends">
        <Button look="danger" onClick={() => setForgetting("forget")}>
          Forget
        </Button>
        <Button look="quiet" onClick={() => setForgetting("purge")}>
          Delete for good …
        </Button>
      </span>
      {forgetting && <Forget memory={memory} purge={forgetting === "purge"} close={() => setForgetting(null)} />}
    </div>
  );
}

function Evidence({ memory }: { memory: Memory }) {
  const scope = useScope();
  const read = useRead("GET /v1/agents/{agent}/memories/{memory}/evidence", { path: { ...scope.path, memory: memory.id }, query: scope.query });
  return (
    <Read from={read}>
      {({ evidence }) => (
        <ul className="memories-evidence">
          {evidence.map((each) => (
            <li key={`${each.id} ${each.start}`}>
              <InContext evidence={each} />
            </li>
          ))}
        </ul>
      )}
    </Read>
  );
}

const OWN = ["pinned", "hints"];

function Facts({ memory }: { memory: Memory }) {
  const hints = (memory.metadata.hints ?? "").split("\n").filter(Boolean);
  const noted = Object.entries(memory.metadata).filter(([name]) => !OWN.includes(name));
  return (
    <dl className="memories-facts">
      <Fact name="Category">{memory.category}</Fact>
      <Fact name="Made">
        <Time at={memory.created_at} />
      </Fact>
      <Fact name="Changed">
        <Time at={memory.updated_at} />
      </Fact>
      <Fact name="Last seen">
        <Time at={memory.last_seen_at} />
      </Fact>
      <Fact name="Said again">{["never", "once"][memory.reinforced] ?? `${memory.reinforced} times`}</Fact>
      {hints.length > 0 && (
        <Fact name="Also found by">
          <span className="memories-tags">
            {hints.map((hint) => (
              <Badge key={hint}>{hint}</Badge>
            ))}
          </span>
        </Fact>
      )}
      {noted.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <Fact name="Id">
        <span className="mono">{memory.id}</span>
      </Fact>
    </dl>
  );
}
