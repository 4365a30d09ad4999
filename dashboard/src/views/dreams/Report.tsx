/** One cycle of dreaming, pass by pass. */

import { useChange } from "../../api/queries";
import { to } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button } from "../../ui/controls";
import { useToasts } from "../../ui/toasts";
import { passTitle, STATUSES, type Cycle, type PassReport } from "./passes";

type Change = PassReport["changes"][number];

export function Report({ of }: { of: Cycle }) {
  if (!of.passes.length) return <p className="dreams-quiet">No pass took part in this cycle.</p>;
  return (
    <ol className="dreams-passes">
      {of.passes.map((pass) => (
        <li key={pass.name}>
          <Pass of={pass} tried={of.dry_run} />
        </li>
      ))}
    </ol>
  );
}

/** A pass that did something can be unfolded; one that did nothing says why. */
function Pass({ of, tried }: { of: PassReport; tried: boolean }) {
  const [words, tone] = STATUSES[of.status];
  const head = (
    <>
      <span className="dreams-name">{passTitle(of.name)}</span>
      <Badge tone={tone}>{words}</Badge>
      <span className="dreams-outcome">{outcome(of, tried)}</span>
      <Cost of={of} />
    </>
  );
  if (!of.changes.length && !of.refused.length) {
    return (
      <div className="dreams-pass">
        <div className="dreams-pass-head">{head}</div>
        <Aside of={of} />
      </div>
    );
  }
  return (
    <details className="dreams-pass">
      <summary className="dreams-pass-head">{head}</summary>
      <Changes of={of.changes} />
      {of.refused.length > 0 && (
        <>
          <h3>Proposed, and refused by the checks</h3>
          <Changes of={of.refused} />
        </>
      )}
      <Aside of={of} />
    </details>
  );
}

function outcome(pass: PassReport, tried: boolean): string {
  const parts = [];
  if (pass.changes.length) parts.push(`${pass.changes.length} ${pass.changes.length === 1 ? "change" : "changes"}${tried ? " it would make" : ""}`);
  if (pass.refused.length) parts.push(`${pass.refused.length} refused`);
  if (pass.waiting) parts.push(`${pass.waiting} left for the next cycle`);
  if (!parts.length) parts.push(pass.notes[0] ?? (pass.status === "done" ? "Nothing to change." : ""));
  return parts.join(" · ");
}

/** Who decided, and what a language model was asked for. */
function Cost({ of }: { of: PassReport }) {
  if (of.method === "rules") return <span className="dreams-cost">by rules</span>;
  return (
    <span className="dreams-cost" title={`${of.input_tokens} tokens read, ${of.output_tokens} written`}>
      by a model · {(of.input_tokens + of.output_tokens).toLocaleString()} tokens
    </span>
  );
}

function Changes({ of }: { of: readonly Change[] }) {
  return (
    <ul className="dreams-changes">
      {of.map((change, at) => (
        <li key={at}>
          <span>{change.what}</span>
          <small>{change.why}</small>
          {change.items.length > 0 && (
            <span className="dreams-items">
              {change.items.slice(0, 8).map((item) => (
                <Item key={item} of={item} />
              ))}
              {change.items.length > 8 && <small>and {change.items.length - 8} more</small>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What a change was done to: ids lead to the log, where they can be looked for; names are shown. */
function Item({ of }: { of: string }) {
  const id = /^[0-9a-f]{8}-/.test(of);
  return id ? <a className="mono" href={to("audit", null, { about: of })} title={`Find ${of} in the audit log`}>{of.slice(-8)}</a> : <Badge>{of}</Badge>;
}

/** What a pass counted and noted, and a way to let it work again where its breaker has paused it. */
function Aside({ of }: { of: PassReport }) {
  const counts = Object.entries(of.counts).filter(([, count]) => count);
  const notes = of.changes.length || of.refused.length || of.waiting ? of.notes : of.notes.slice(1);
  if (!counts.length && !notes.length && of.status !== "paused") return null;
  return (
    <div className="dreams-aside">
      {counts.map(([name, count]) => (
        <span key={name}>
          {name.replaceAll("_", " ")} <b>{count.toLocaleString()}</b>
        </span>
      ))}
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
      {of.status === "paused" && <Reset name={of.name} />}
    </div>
  );
}

function Reset({ name }: { name: PassReport["name"] }) {
  const scope = useScope();
  const toasts = useToasts();
  const reset = useChange("POST /v1/agents/{agent}/dreams/reset", ({ reset }) =>
    toasts.done(reset ? `${passTitle(name)} will work again in the next dream.` : `${passTitle(name)} was not paused any more.`),
  );
  return (
    <Button busy={reset.isPending} onClick={() => reset.mutate({ path: scope.path, body: { name, ...scope.query } }, { onError: toasts.failed })}>
      Let it work again
    </Button>
  );
}
