/** Change a proposal before it is accepted: a form for what is common, JSON for the rest. The server checks it. */

import { useState, type FormEvent, type KeyboardEvent } from "react";
import type { Failure } from "../../api/client";
import type { ProposalReply } from "../../api/contracts";
import { Button, Choice, Field } from "../../ui/controls";
import type { Edit } from "./decisions";
import { fieldsOf, meant, shown, type FormField } from "./fields";
import { spaced, type Naming, type Payload } from "./words";

interface EditFormProps {
  proposal: ProposalReply;
  naming: Naming;
  save: (edit: Edit) => Promise<Failure | null>;
  /** After it was saved as it is now; with `accept` it is to be accepted at once. */
  saved: (accept: boolean, payload: Payload) => void;
  cancel: () => void;
}

export function EditForm({ proposal, naming, save, saved, cancel }: EditFormProps) {
  const [changed, setChanged] = useState<Record<string, string>>({});
  const [reason, setReason] = useState(proposal.rationale ?? "");
  const [json, setJson] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { main, rare } = fieldsOf(proposal.operation, proposal.payload);

  const written = (): Payload => {
    if (json !== null) return JSON.parse(json) as Payload;
    const fields = [...main, ...rare].filter(({ name }) => name in changed);
    return { ...proposal.payload, ...Object.fromEntries(fields.map((field) => [field.name, meant(field, changed[field.name] ?? "")])) };
  };
  const submit = async (accept: boolean) => {
    let payload: Payload;
    try {
      payload = written();
    } catch (error) {
      setFailure(`That is not JSON: ${(error as Error).message}`);
      return;
    }
    setBusy(true);
    const confidence = typeof payload["confidence"] === "number" ? payload["confidence"] : proposal.confidence;
    const refused = await save({ payload, confidence, reason: reason.trim() || null });
    setBusy(false);
    setFailure(refused?.message ?? null);
    if (!refused) saved(accept, payload);
  };
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    void submit(true);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
  };
  const write = (name: string, value: string) => setChanged((before) => ({ ...before, [name]: value }));
  const input = (field: FormField, first: boolean) => (
    <Entry key={field.name} field={field} first={first} value={changed[field.name] ?? shown(field, proposal.payload[field.name], naming)} write={write} />
  );
  return (
    <form className="review-edit" aria-label={`Edit: ${spaced(proposal.operation)}`} onSubmit={submitted} onKeyDown={pressed}>
      {json === null ? (
        <>
          <div className="review-fields">{main.map((field, at) => input(field, at === focusAt(main)))}</div>
          <Field label="Why" value={reason} maxLength={2000} onChange={(event) => setReason(event.target.value)} />
          {rare.length > 0 && (
            <details>
              <summary>More fields</summary>
              <div className="review-fields">{rare.map((field) => input(field, false))}</div>
            </details>
          )}
        </>
      ) : (
        <label className="field">
          <span className="label">Payload of {proposal.operation}</span>
          <textarea className="mono" rows={14} value={json} spellCheck={false} onChange={(event) => setJson(event.target.value)} />
        </label>
      )}
      {failure && (
        <p role="alert" className="review-refusal">
          {failure}
        </p>
      )}
      <div className="review-actions">
        <Button look="primary" type="submit" busy={busy}>
          Save and accept
        </Button>
        <Button busy={busy} onClick={() => void submit(false)}>
          Save
        </Button>
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
        <Button look="quiet" className="review-json" onClick={() => setJson(json === null ? JSON.stringify(written(), null, 2) : null)}>
          {json === null ? "As JSON" : "As a form"}
        </Button>
      </div>
    </form>
  );
}

/** The field to begin with: what is said, before whom it is said of. */
function focusAt(fields: readonly FormField[]): number {
  const said = fields.findIndex(({ name }) => ["value", "new_value", "new_name", "content", "definition", "alias"].includes(name));
  return Math.max(said, 0);
}

function Entry({ field, value, write, first }: { field: FormField; value: string; write: (name: string, value: string) => void; first: boolean }) {
  const { name, label, input, options } = field;
  if (input === "choice") {
    const offered = ["", ...(options ?? [])].map((each) => [each, spaced(each) || "–"] as const);
    return <Choice label={label} value={value} options={offered} onChange={(event) => write(name, event.target.value)} />;
  }
  if (input === "flag")
    return (
      <label className="review-flag">
        <input type="checkbox" checked={value === "true"} onChange={(event) => write(name, String(event.target.checked))} /> {label}
      </label>
    );
  if (input === "long")
    return (
      <label className="field review-long">
        <span className="label">{label}</span>
        <textarea rows={2} value={value} autoFocus={first} onChange={(event) => write(name, event.target.value)} />
      </label>
    );
  const kind = input === "fraction" ? { type: "number", min: 0, max: 1, step: "any" } : { type: input === "moment" ? "datetime-local" : "text" };
  return <Field label={label} value={value} autoFocus={first} {...kind} onChange={(event) => write(name, event.target.value)} />;
}
