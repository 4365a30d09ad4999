/** The recall lab: ask as the agent would be asked, and see what comes to its mind, why, and what it would be told. */

import { useEffect } from "react";
import { go } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Page, Panel } from "../../ui/pages";
import { Empty, Failed, Waiting } from "../../ui/states";
import { isUnrelated, useAsking, type Answer, type Recalled } from "./asking";
import { AskingForm } from "./Asking";
import { Hits } from "./Hits";
import { Injected } from "./Injected";
import { addressOf, useLastQuestions, useQuestion, type Question } from "./questions";
import "./recall.css";

export default function RecallLab() {
  const scope = useScope();
  const question = useQuestion();
  const asking = useAsking();
  const [last, keep] = useLastQuestions();
  const address = addressOf(question);
  // The address asks, so that a link to a question answers it. The rest of what is used here follows from it.
  useEffect(() => {
    if (!question.q) return;
    keep(question.q);
    asking.ask(question);
  }, [address, scope]);
  const ask = (next: Question) => (addressOf(next) === address ? asking.ask(next) : go(addressOf(next)));
  return (
    <Page title="Recall lab" lead="Ask as the agent would be asked. See what comes to mind, why it ranks there, and what would be put before the model.">
      <AskingForm question={question} ask={ask} pending={asking.pending} last={last} />
      <Shown asking={asking} asked={question.q !== ""} />
    </Page>
  );
}

function Shown({ asking, asked }: { asking: ReturnType<typeof useAsking>; asked: boolean }) {
  if (!asked) return <Beginning />;
  if (asking.failure && !asking.pending) return <Failed failure={asking.failure} />;
  if (!asking.answer) return <Waiting what="Recalling" />;
  return <Answered answer={asking.answer} stale={asking.pending} />;
}

function Beginning() {
  return (
    <Empty title="What would the agent remember?">
      Before an agent answers, Nacre looks up what has to do with the message and hands it over within a budget of tokens. Type a message to watch that
      happen, and say which hits help: the agent learns from it.
    </Empty>
  );
}

function Answered({ answer, stale }: { answer: Answer; stale: boolean }) {
  const { recalled, took, question } = answer;
  const narrowed = question.asOf || question.since || question.until || question.within || question.kinds.length > 0;
  return (
    <>
      <p className="recall-scale">
        A score is a probability: 0.90 means that nine of ten such hits bear on the question, and 0.10 that one does. The bars show what each channel found; the
        score is what they come to together. <em>Related</em> is the probability that anything is known of it at all.
      </p>
      <div className="recall-answer" aria-busy={stale}>
        <Panel
          title={titleOf(recalled)}
          tools={
            <>
              {recalled.hits.length > 0 && <Related recalled={recalled} />}
              <Took ms={took.recall} />
            </>
          }
        >
          {recalled.notes.map((note) => (
            <p key={note} className="recall-note">
              {note}
            </p>
          ))}
          <Hits answer={answer} />
        </Panel>
        <Panel title="What would be injected" tools={<Took ms={took.context} />}>
          {narrowed && <p className="recall-hint">Dates, kinds and “said in” narrow the hits alone. A context is always built from what is known now.</p>}
          <Injected context={answer.context} />
        </Panel>
      </div>
    </>
  );
}

function titleOf(recalled: Recalled): string {
  if (recalled.hits.length && isUnrelated(recalled)) return "Nothing related";
  return `${recalled.hits.length} ${recalled.hits.length === 1 ? "hit" : "hits"}`;
}

function Related({ recalled }: { recalled: Recalled }) {
  return (
    <small className="recall-took" title="The probability that anything is known of what was asked">
      {Math.round(recalled.related * 100)} % related
    </small>
  );
}

function Took({ ms }: { ms: number }) {
  return (
    <small className="recall-took" title="From the call to its reply, as seen from here">
      {ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms
    </small>
  );
}
