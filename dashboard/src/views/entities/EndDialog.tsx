/** Something believed that is not so: it was so until some day, or it never was. */

import { useState } from "react";
import { Field } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { dayEnd } from "../../ui/days";
import { dayHere } from "./moments";
import { useOperations, yieldsToForce, type Order } from "./operations";
import { Reason } from "./Reason";
import { Force } from "./refusals";

export interface Ending {
  /** What it is about, in a line. */
  what: string;
  /** The order when it was so until a moment; where it cannot be said so, there is none. */
  ended: ((until: string) => Order) | null;
  /** The order when it never was so. */
  wrong: (force: boolean) => Order;
}

export function EndDialog({ ending, close }: { ending: Ending; close: () => void }) {
  const [wrong, setWrong] = useState(ending.ended === null);
  const [day, setDay] = useState(dayHere(new Date()));
  const [reason, setReason] = useState("");
  const [force, setForce] = useState(false);
  const { apply, busy, failure } = useOperations(close);
  const submit = () => {
    const until = day === dayHere(new Date()) ? new Date().toISOString() : dayEnd(day);
    const order = !wrong && ending.ended && until ? ending.ended(until) : ending.wrong(force);
    apply({ ...order, reason });
  };
  const resisted = yieldsToForce(failure);
  return (
    <Dialog
      title="Not so"
      close={close}
      confirm={force ? "Remove it all the same" : wrong ? "Remove" : "End"}
      look="danger"
      busy={busy}
      failure={failure}
      submit={submit}
    >
      <p className="entities-what">{ending.what}</p>
      {ending.ended && (
        <fieldset className="entities-choices">
          <legend className="visually-hidden">What is wrong with it</legend>
          <label>
            <input type="radio" name="ending" checked={!wrong} onChange={() => setWrong(false)} />
            <span>It was so, and is no longer</span>
          </label>
          <label>
            <input type="radio" name="ending" checked={wrong} onChange={() => setWrong(true)} />
            <span>It never was so</span>
          </label>
        </fieldset>
      )}
      {!wrong && <Field label="Until" type="date" required value={day} onChange={(event) => setDay(event.target.value)} />}
      <Reason value={reason} change={setReason} />
      {resisted && (
        <Force chosen={force} choose={setForce}>
          This is a rule that somebody set on purpose. Take it out all the same.
        </Force>
      )}
    </Dialog>
  );
}
