/** What the agent would read before it answers: the messages in order, what they cost, and the exact text. */

import { useState } from "react";
import { Badge, Button } from "../../ui/controls";
import { Empty } from "../../ui/states";
import type { Answer, Context } from "./asking";
import { Copy } from "./Copy";
import { cutsOf } from "./cuts";

type Message = Context["messages"][number];

const COLOURS: Record<Message["label"], string> = {
  memory: "type-project",
  episode: "type-person",
  graph: "type-place",
  working: "type-document",
  patrol: "type-event",
  subagent: "type-tool",
  conversation: "type-organization",
};

/** What the steps of a context are about. */
const STEPS: Record<Message["label"], string> = {
  memory: "long-term memories",
  episode: "what was said in other sessions",
  graph: "what the graph knows",
  working: "working memory",
  patrol: "what patrols found",
  subagent: "what subagents outlined",
  conversation: "the last turns of the session",
};

export function Injected({ answer }: { answer: Answer }) {
  const [exact, setExact] = useState(false);
  const { context, whole, question } = answer;
  const costs = costsOf(context);
  return (
    <>
      <Budget context={context} costs={costs} />
      {whole ? <Cuts context={context} whole={whole} /> : <p className="recall-hint">In a session only what it was not shown before is here.</p>}
      {context.notes.map((note) => (
        <p key={note} className="recall-note">
          {note}
        </p>
      ))}
      {context.messages.length > 0 ? (
        <>
          <div className="recall-forms" role="group" aria-label="Show the context as">
            <Button look="quiet" aria-pressed={!exact} onClick={() => setExact(false)}>
              Messages
            </Button>
            <Button look="quiet" aria-pressed={exact} onClick={() => setExact(true)}>
              Exact text
            </Button>
            <Copy text={context.text} what="The context" />
          </div>
          {exact ? <pre className="recall-exact" tabIndex={0} aria-label="Exact text">{context.text}</pre> : <Messages context={context} costs={costs} />}
        </>
      ) : (
        <NothingInjected session={question.session} />
      )}
    </>
  );
}

/** About how many tokens each message costs: the server tells the sum, which is shared by length. */
function costsOf(context: Context): number[] {
  const whole = context.messages.reduce((sum, message) => sum + message.text.length, 0) || 1;
  return context.messages.map((message) => Math.round((message.text.length / whole) * context.tokens));
}

function Budget({ context, costs }: { context: Context; costs: readonly number[] }) {
  const { budget } = context;
  const told = `${context.tokens} of ${budget} tokens`;
  return (
    <div className="recall-budget">
      <p>
        <strong>{context.tokens.toLocaleString()}</strong> of {budget.toLocaleString()} tokens
      </p>
      <span className="recall-bar" role="img" aria-label={told}>
        {context.messages.map((message, at) => (
          <span
            key={at}
            title={`${message.label}: about ${costs[at]} tokens`}
            style={{ width: `${((costs[at] ?? 0) / budget) * 100}%`, background: `var(--${COLOURS[message.label]})` }}
          />
        ))}
      </span>
    </div>
  );
}

/** What was found as well, and had no place. */
function Cuts({ context, whole }: { context: Context; whole: Context }) {
  const cuts = cutsOf(context, whole);
  if (!cuts.length) return <p className="recall-hint">Nothing was cut: all that was found fits.</p>;
  const told = cuts.map(({ label, lines }) => `${lines.length} of ${STEPS[label]}`).join(", ");
  return (
    <details className="recall-cut">
      <summary>
        Cut for want of room: {told}; {(whole.tokens - context.tokens).toLocaleString()} tokens more would hold all of it
      </summary>
      <ul aria-label="Cut">
        {cuts.map(({ label, lines }) =>
          lines.map((line) => (
            <li key={`${label} ${line}`}>
              <span className="recall-swatch" style={{ background: `var(--${COLOURS[label]})` }} aria-hidden="true" />
              <span>{line.replace(/^- /, "")}</span>
            </li>
          )),
        )}
      </ul>
    </details>
  );
}

function Messages({ context, costs }: { context: Context; costs: readonly number[] }) {
  return (
    <ol className="recall-messages">
      {context.messages.map((message, at) => (
        <li key={at}>
          <p>
            <span className="recall-swatch" style={{ background: `var(--${COLOURS[message.label]})` }} aria-hidden="true" />
            <strong>{message.label}</strong>
            {message.label !== context.messages[at - 1]?.label && <span>{STEPS[message.label]}</span>}
            <Badge>{message.role}</Badge>
            <span className="recall-cost">≈ {costs[at]} tokens</span>
          </p>
          <pre>{message.text}</pre>
        </li>
      ))}
    </ol>
  );
}

function NothingInjected({ session }: { session: string }) {
  return (
    <Empty title="The agent would be told nothing">
      {session
        ? "Nothing new has to do with this message: this session was shown all of it before."
        : "Nothing that is remembered has to do with this message, or the budget holds not even one line."}
    </Empty>
  );
}
