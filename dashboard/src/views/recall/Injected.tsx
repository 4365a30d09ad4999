/** What the agent would read before it answers: block by block or as the exact text, and what it costs. */

import { useState } from "react";
import { Badge, Button } from "../../ui/controls";
import { Empty } from "../../ui/states";
import { Time } from "../../ui/times";
import type { Answer, Context } from "./asking";
import { blocksOf, saidIn, type Block, type Line, type Message } from "./blocks";
import { Copy } from "./Copy";

const COLOURS: Record<Message["label"], string> = {
  profile: "accent",
  belief: "type-concept",
  memory: "type-project",
  document: "type-document",
  episode: "type-person",
  graph: "type-place",
  working: "type-other",
  patrol: "type-event",
  subagent: "type-tool",
  conversation: "type-organization",
};

/** What the parts of a context are about. */
const STEPS: Record<Message["label"], string> = {
  profile: "what is known of the user",
  belief: "what holds now",
  memory: "long-term memories",
  document: "documents",
  episode: "what was said in other sessions",
  graph: "what the graph knows",
  working: "working memory",
  patrol: "what patrols found",
  subagent: "what subagents outlined",
  conversation: "the last turns of the session",
};

export function Injected({ context }: Pick<Answer, "context">) {
  const [exact, setExact] = useState(false);
  const blocks = blocksOf(context);
  return (
    <>
      <Budget context={context} blocks={blocks} />
      {context.left_out > 0 && <LeftOut count={context.left_out} />}
      {context.notes.map((note) => (
        <p key={note} className="recall-note">
          {note}
        </p>
      ))}
      {blocks.length > 0 ? (
        <>
          <div className="recall-forms" role="group" aria-label="Show the context as">
            <Button look="quiet" aria-pressed={!exact} onClick={() => setExact(false)}>
              Blocks
            </Button>
            <Button look="quiet" aria-pressed={exact} onClick={() => setExact(true)}>
              Exact text
            </Button>
            <Copy text={context.text} what="The context" />
          </div>
          {exact ? <pre className="recall-exact" tabIndex={0} aria-label="Exact text">{context.text}</pre> : <Blocks blocks={blocks} />}
        </>
      ) : (
        <NothingInjected leftOut={context.left_out} />
      )}
    </>
  );
}

function Budget({ context, blocks }: { context: Context; blocks: readonly Block[] }) {
  const { budget } = context;
  const told = `${context.tokens} of ${budget} tokens`;
  return (
    <div className="recall-budget">
      <p>
        <strong>{context.tokens.toLocaleString()}</strong> of {budget.toLocaleString()} tokens
      </p>
      <span className="recall-bar" role="img" aria-label={told}>
        {blocks.map(({ message, tokens }, at) => (
          <span
            key={at}
            title={`${message.label}: about ${tokens} tokens`}
            style={{ width: `${(tokens / budget) * 100}%`, background: `var(--${COLOURS[message.label]})` }}
          />
        ))}
      </span>
    </div>
  );
}

/** What was relevant as well, and had no place. */
function LeftOut({ count }: { count: number }) {
  return (
    <p className="recall-note">
      Cut for want of room: {count.toLocaleString()} relevant {count === 1 ? "line" : "lines"} did not fit.
    </p>
  );
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <ol className="recall-blocks">
      {blocks.map((block, at) => (
        <BlockItem key={at} block={block} begins={block.message.label !== blocks[at - 1]?.message.label} />
      ))}
    </ol>
  );
}

function BlockItem({ block, begins }: { block: Block; begins: boolean }) {
  const { message, tokens, lines, sure } = block;
  return (
    <li aria-label={sure ? message.label : `${message.label}, less sure`}>
      <p>
        <span className="recall-swatch" style={{ background: `var(--${COLOURS[message.label]})` }} aria-hidden="true" />
        <strong>{message.label}</strong>
        {begins && sure && <span>{STEPS[message.label]}</span>}
        {!sure && (
          <Badge tone="warn" title="Shown beside better matches, because the answer may be here.">
            less sure
          </Badge>
        )}
        {message.label === "conversation" && <Badge>{message.role}</Badge>}
        <span className="recall-cost">≈ {tokens} tokens</span>
      </p>
      {lines.length === 0 ? <pre>{message.text}</pre> : sure ? <Lines lines={lines} /> : <Unsure lines={lines} />}
    </li>
  );
}

// Fewer lines that are less sure are shown at once.
const MANY = 6;

function Unsure({ lines }: { lines: readonly Line[] }) {
  return (
    <details className="recall-unsure" open={lines.length < MANY}>
      <summary>{lines.length === 1 ? "1 line in which the answer may be" : `${lines.length} lines in which the answer may be`}</summary>
      <Lines lines={lines} />
    </details>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <ul className="recall-lines">
      {lines.map((line, at) => (
        <LineItem key={at} line={line} />
      ))}
    </ul>
  );
}

/** A line with its day and its score. The profile is not there for the message's sake, so it has none. */
function LineItem({ line }: { line: Line }) {
  return (
    <li>
      <span className="recall-day">{line.at && <Time at={line.at} look="day" />}</span>
      <span className="recall-said">{saidIn(line)}</span>
      {line.label !== "profile" && (
        <span className="recall-line-score" title="The probability that it bears on the message">
          {line.score.toFixed(2)}
        </span>
      )}
    </li>
  );
}

function NothingInjected({ leftOut }: { leftOut: number }) {
  return (
    <Empty title="The agent would be told nothing">
      {leftOut > 0 ? "The budget holds not even one line." : "Nothing that is known has to do with this message."}
    </Empty>
  );
}
