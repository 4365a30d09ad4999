/** Dream now: choose the passes, look at what they would do, and then let them do it. */

import { useEffect, useState } from "react";
import type { PassName } from "../../api/contracts";
import { useChange } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { Button } from "../../ui/controls";
import { Dialog } from "../../ui/dialogs";
import { useToasts } from "../../ui/toasts";
import { PASSES, total, type Cycle } from "./passes";
import { Report } from "./Report";

const EVERY: readonly PassName[] = PASSES.map(([name]) => name);

export function DreamNow({ close }: { close: () => void }) {
  const scope = useScope();
  const toasts = useToasts();
  const [chosen, setChosen] = useState<readonly PassName[]>(EVERY);
  const [tried, setTried] = useState<Cycle | null>(null);
  const dream = useChange("POST /v1/agents/{agent}/dream", (reply) => {
    if (reply.dry_run) return setTried(reply);
    toasts.done(`The dream is over: ${changes(reply)}.`);
    close();
  });
  // All passes together are gated: those whose input has not changed are skipped. Passes asked for by name always run.
  const passes = chosen.length === EVERY.length ? null : [...chosen];
  const run = (dry_run: boolean) => dream.mutate({ path: scope.path, body: { ...scope.query, passes, dry_run } });
  const toggle = (name: PassName) => {
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : EVERY.filter((each) => each === name || chosen.includes(each)));
  };
  return (
    <Dialog
      title="Dream now"
      close={close}
      confirm={tried ? "Carry it out" : "See what it would do"}
      busy={dream.isPending || !chosen.length}
      failure={dream.error}
      submit={() => run(!tried)}
    >
      {tried ? (
        <>
          <p aria-live="polite">
            This was a dry run, and nothing has changed: {changes(tried)}. <Button look="quiet" onClick={() => setTried(null)}>Choose again</Button>
          </p>
          <Report of={tried} />
        </>
      ) : (
        <Choices chosen={chosen} toggle={toggle} choose={setChosen} />
      )}
      {dream.isPending && <Progress passes={chosen.length} />}
    </Dialog>
  );
}

function changes(cycle: Cycle): string {
  const count = total(cycle.passes, (pass) => pass.changes.length);
  if (cycle.dry_run) return count ? `it would make ${count} ${count === 1 ? "change" : "changes"}` : "it would change nothing";
  return count ? `${count} ${count === 1 ? "change" : "changes"}` : "nothing had to change";
}

interface ChoicesProps {
  chosen: readonly PassName[];
  toggle: (name: PassName) => void;
  choose: (names: readonly PassName[]) => void;
}

function Choices({ chosen, toggle, choose }: ChoicesProps) {
  return (
    <fieldset className="dreams-choices">
      <legend>
        {chosen.length === EVERY.length
          ? "All passes run; those whose input has not changed are skipped."
          : "The chosen passes run, even where nothing has changed."}{" "}
        <Button look="quiet" onClick={() => choose(chosen.length ? [] : EVERY)}>
          {chosen.length ? "Choose none" : "Choose all"}
        </Button>
      </legend>
      {PASSES.map(([name, title, does]) => (
        <label key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
          <span>
            <b>{title}</b>
            <small>{does}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** A dream is one call, so what can be told of it is how long it has gone on. */
function Progress({ passes }: { passes: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <p className="dreams-progress" role="status">
      <span className="pearl" aria-hidden="true" /> Dreaming, {passes} {passes === 1 ? "pass" : "passes"}
      {seconds > 0 && <span aria-hidden="true"> · {seconds} s</span>}
    </p>
  );
}
