/** The playground: say something as a user would, and see what the agent would be told, what it learns, and where in the graph. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useRead } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { Empty, Failed, Waiting } from "../../ui/states";
import { Canvas } from "../constellation/Canvas";
import { readFilters } from "../constellation/filters";
import { pictureOf, waitingFor, type Constellation } from "../constellation/pictures";
import "../constellation/constellation.css";
import "../recall/recall.css";
import { Message } from "./Message";
import { SayForm } from "./SayForm";
import { PICTURE, say, startAnew, useTalk, type Exchange } from "./talking";
import "./playground.css";

const EXAMPLES = ["My name is Ana and I work at Larkspur in Utrecht.", "Tom leads Pebble. He reports to Maya.", "What do you know about Pebble?"];

export default function Playground() {
  const scope = useScope();
  const queries = useQueryClient();
  const { session, exchanges } = useTalk(scope);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = exchanges.find(({ id }) => id === chosen) ?? exchanges.at(-1) ?? null;
  const busy = exchanges.some(({ step }) => step !== "done" && step !== "failed");
  useEffect(() => {
    document.title = "Playground · Nacre";
  }, []);
  const send = (text: string) => {
    setChosen(null);
    void say(scope, queries, text);
  };
  return (
    <div className="playground">
      <section className="playground-talk" aria-label="Conversation">
        <header>
          <div>
            <h1>Playground</h1>
            <p>What you say here is observed, as an agent would observe it, in the memory of {[scope.agent, scope.user].filter(Boolean).join(" · ")}.</p>
          </div>
          <Button disabled={!exchanges.length || busy} onClick={() => startAnew(scope)} title={`Now: ${session}`}>
            New session
          </Button>
        </header>
        <Said exchanges={exchanges} shown={shown} choose={setChosen} send={send} />
        <SayForm say={send} busy={busy} />
      </section>
      <Picture shown={shown} />
    </div>
  );
}

interface SaidProps {
  exchanges: readonly Exchange[];
  shown: Exchange | null;
  choose: (id: number) => void;
  send: (text: string) => void;
}

function Said({ exchanges, shown, choose, send }: SaidProps) {
  const list = useRef<HTMLOListElement>(null);
  const state = exchanges.at(-1)?.step;
  useEffect(() => void list.current?.lastElementChild?.scrollIntoView({ block: "start" }), [exchanges.length, state]);
  if (!exchanges.length)
    return (
      <div className="playground-said">
        <Empty title="Say something">
          Nacre first looks up what an agent would be told before it answers, and then listens. The picture shows what was used and what is new.
          <span className="playground-examples">
            {EXAMPLES.map((text) => (
              <Button key={text} onClick={() => send(text)}>
                {text}
              </Button>
            ))}
          </span>
        </Empty>
      </div>
    );
  return (
    <ol ref={list} className="playground-said" aria-live="polite">
      {exchanges.map((each) => (
        <Message key={each.id} exchange={each} current={each === shown} choose={() => choose(each.id)} />
      ))}
    </ol>
  );
}

function Picture({ shown }: { shown: Exchange | null }) {
  const scope = useScope();
  const reply = useRead("GET /api/knowledge/constellation", { query: { ...scope.api, ...PICTURE } });
  if (reply.data) return <Sky key={JSON.stringify(scope.api)} constellation={reply.data} shown={shown} />;
  return <div className="playground-sky">{reply.error ? <Failed failure={reply.error} again={() => void reply.refetch()} /> : <Waiting what="Reading the graph" />}</div>;
}

const USUAL = readFilters(new URLSearchParams());
const NOTHING = { aspects: [], proposals: [] };

function Sky({ constellation, shown }: { constellation: Constellation; shown: Exchange | null }) {
  const scope = useScope();
  const [selected, setSelected] = useState<string | null>(null);
  const picture = useMemo(() => pictureOf(constellation, USUAL), [constellation]);
  const waiting = useMemo(() => waitingFor(constellation), [constellation]);
  const lit = useMemo(() => new Set([...(shown?.used ?? []), ...(shown?.fresh ?? [])].filter((id) => picture.stars.has(id))), [shown?.used, shown?.fresh, picture]);
  useEffect(() => setSelected(null), [shown?.id]);
  const star = selected ? picture.stars.get(selected) : undefined;
  return (
    <section className="playground-sky" aria-label="What it touches in the graph">
      <Canvas
        scope={`${JSON.stringify(scope.api)} playground`}
        constellation={constellation}
        picture={picture}
        waiting={waiting}
        around={NOTHING}
        filters={{ ...USUAL, marks: false, selected: star ? selected : null }}
        lit={star ? undefined : lit}
        fresh={star ? undefined : shown?.fresh}
        choose={setSelected}
      >
        {!picture.stars.size && (
          <div className="constellation-none">
            <Empty title="The graph grows here">People, places and things appear as soon as you speak of them.</Empty>
          </div>
        )}
      </Canvas>
      <footer>
        {star ? (
          <a href={to("entities", star.entity.id)}>Open the page of {star.entity.name}</a>
        ) : (
          <>
            <span className="playground-key used">used for the answer</span>
            <span className="playground-key fresh">new or changed</span>
          </>
        )}
        <a className="playground-open" href={to("", null, { entity: selected })}>
          Open the constellation
        </a>
      </footer>
    </section>
  );
}
