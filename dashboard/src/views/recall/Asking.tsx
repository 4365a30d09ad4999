/** The form that asks: the message, and behind it how and where to look. */

import { useEffect, useState, type FormEvent, type KeyboardEvent } from "react";
import { useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Button, Choice, Field, Key } from "../../ui/controls";
import { BUDGET, KINDS, LIMIT, RERANKS, type HitKind, type Question } from "./questions";

interface AskingProps {
  question: Question;
  ask: (question: Question) => void;
  pending: boolean;
  last: readonly string[];
}

export function AskingForm({ question, ask, pending, last }: AskingProps) {
  const [draft, setDraft] = useState(question);
  const asked = JSON.stringify(question);
  useEffect(() => setDraft(JSON.parse(asked) as Question), [asked]);
  const set = <K extends keyof Question>(name: K, value: Question[K]) => setDraft((before) => ({ ...before, [name]: value }));
  const submitted = (event?: FormEvent) => {
    event?.preventDefault();
    if (draft.q.trim()) ask({ ...draft, q: draft.q.trim() });
  };
  const pressed = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submitted();
  };
  const others = last.filter((q) => q !== question.q);
  return (
    <form className="recall-form panel" onSubmit={submitted}>
      <label className="field">
        <span className="visually-hidden">Message</span>
        <textarea
          rows={2}
          maxLength={1_000_000}
          placeholder="When do we launch?"
          value={draft.q}
          onChange={(event) => set("q", event.target.value)}
          onKeyDown={pressed}
          autoFocus
        />
      </label>
      <div className="recall-ask">
        <Options draft={draft} set={set} />
        <Button type="submit" look="primary" busy={pending} disabled={!draft.q.trim()} title="Enter asks, Shift+Enter starts a new line">
          {pending ? "Asking …" : "Ask"} <Key>↵</Key>
        </Button>
      </div>
      {others.length > 0 && (
        <div className="recall-last">
          <span>Asked before</span>
          {others.map((q) => (
            <Button
              key={q}
              look="quiet"
              title={q}
              onClick={() => {
                set("q", q);
                ask({ ...draft, q });
              }}
            >
              <span>{q}</span>
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}

interface OptionsProps {
  draft: Question;
  set: <K extends keyof Question>(name: K, value: Question[K]) => void;
}

function Options({ draft, set }: OptionsProps) {
  const sessions = useSessionNames(draft);
  const changed = changes(draft);
  return (
    <details className="recall-options">
      <summary>Options{changed > 0 && ` (${changed} set)`}</summary>
      <fieldset>
        <legend>What is injected</legend>
        <Field
          label="Budget in tokens"
          type="number"
          min={1}
          max={1_000_000}
          value={draft.budget || ""}
          placeholder={String(BUDGET)}
          onChange={(event) => set("budget", Number(event.target.value))}
          onBlur={() => draft.budget || set("budget", BUDGET)}
        />
        <Choice label="As if asked in session" value={draft.session} options={[["", "none"], ...sessions]} onChange={(event) => set("session", event.target.value)} />
        {draft.session && (
          <p className="recall-hint">
            What you see counts as shown to <em>{draft.session}</em>: an agent that wants nothing twice is not shown it there again.
          </p>
        )}
      </fieldset>
      <fieldset>
        <legend>Which hits</legend>
        <Field
          label="At most"
          type="number"
          min={1}
          max={1000}
          value={draft.limit || ""}
          placeholder={String(LIMIT)}
          onChange={(event) => set("limit", Number(event.target.value))}
          onBlur={() => draft.limit || set("limit", LIMIT)}
        />
        <Choice label="Said in session" value={draft.within} options={[["", "any"], ...sessions]} onChange={(event) => set("within", event.target.value)} />
        <Choice
          label="Second look"
          value={draft.rerank}
          options={[["", "as the server is set"], ...RERANKS.map((each) => [each, each] as const)]}
          onChange={(event) => set("rerank", event.target.value as Question["rerank"])}
        />
        <Field label="Known on" type="date" value={draft.asOf} onChange={(event) => set("asOf", event.target.value)} />
        <Field label="Said since" type="date" value={draft.since} onChange={(event) => set("since", event.target.value)} />
        <Field label="Said until" type="date" value={draft.until} onChange={(event) => set("until", event.target.value)} />
        <Kinds chosen={draft.kinds} change={(kinds) => set("kinds", kinds)} />
      </fieldset>
    </details>
  );
}

function Kinds({ chosen, change }: { chosen: readonly HitKind[]; change: (kinds: HitKind[]) => void }) {
  return (
    <div className="recall-kinds" role="group" aria-label="Kinds">
      {KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={(event) => change(KINDS.filter((each) => (each === kind ? event.target.checked : chosen.includes(each))))}
          />
          {kind}
        </label>
      ))}
    </div>
  );
}

function useSessionNames(draft: Question): [string, string][] {
  const scope = useScope();
  const sessions = useRead("GET /v1/agents/{agent}/sessions", { path: scope.path, query: { ...scope.query, limit: 200 } });
  const names = sessions.data?.sessions.map((each) => each.session) ?? [];
  return [...new Set([...names, draft.session, draft.within])].filter(Boolean).map((name) => [name, name]);
}

/** How many options are not as usual. */
function changes(draft: Question): number {
  const { session, within, asOf, since, until, rerank, kinds, budget, limit } = draft;
  return [session, within, asOf, since, until, rerank, kinds.length, budget !== BUDGET, limit !== LIMIT].filter(Boolean).length;
}
