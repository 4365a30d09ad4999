/** One message of the playground: the words, what the agent would be told, and what was learned. */

import { Badge } from "../../ui/controls";
import type { Context } from "../recall/asking";
import { Injected } from "../recall/Injected";
import type { Exchange, Step } from "./talking";

const STEPS: Record<Step, string> = {
  recalling: "Looking up what is known …",
  listening: "Observing …",
  learning: "Learning …",
  done: "",
  failed: "",
};

export function Message({ exchange, current, choose }: { exchange: Exchange; current: boolean; choose: () => void }) {
  const { text, step, context, failure } = exchange;
  return (
    <li className="playground-exchange" data-step={step}>
      <button type="button" className="playground-words" aria-pressed={current} onClick={choose} title="Show in the graph what this touched">
        {text}
      </button>
      {context && (context.messages.length ? <Told context={context} open={current} /> : <p className="playground-told">Nothing that is known has to do with this: the agent would be told nothing.</p>)}
      {step === "done" && <Learned lines={exchange.learned} />}
      {failure && (
        <p className="playground-failed" role="alert">
          {failure.message}
        </p>
      )}
      {STEPS[step] && (
        <p className="playground-step">
          <span className="pearl" aria-hidden="true" /> {STEPS[step]}
        </p>
      )}
    </li>
  );
}

function Told({ context, open }: { context: Context; open: boolean }) {
  return (
    <details className="playground-told" open={open}>
      <summary>Before it answers, the agent would be told</summary>
      <div className="playground-context">
        <Injected context={context} />
      </div>
    </details>
  );
}

function Learned({ lines }: { lines: readonly string[] }) {
  if (!lines.length) return <p className="playground-learned none">Kept word for word. The graph learned nothing new from it.</p>;
  return (
    <p className="playground-learned">
      <strong>Learned</strong>
      {lines.map((line) => (
        <Badge key={line} tone="good">
          {line}
        </Badge>
      ))}
    </p>
  );
}
