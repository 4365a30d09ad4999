/** Dreams: what upkeep did while nobody was looking, and why. */

import { useState } from "react";
import { useRead } from "../../api/queries";
import { setParameter, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button } from "../../ui/controls";
import { Page } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Time } from "../../ui/times";
import { DreamNow } from "./DreamNow";
import { cycle, lasted, total, TRIGGERS, type Cycle } from "./passes";
import { Report } from "./Report";
import "./Dreams.css";

const FIRST = 10;
const MOST = 200;

export default function Dreams() {
  const scope = useScope();
  const { query } = useRoute();
  const [asking, setAsking] = useState(false);
  const limit = query.get("all") ? MOST : FIRST;
  const dreams = useRead("GET /v1/agents/{agent}/dreams", { path: scope.path, query: { ...scope.query, limit } });
  return (
    <Page
      title="Dreams"
      lead="Upkeep in passes: what is repeated is merged, what is old fades, what contradicts itself is raised. All of it can be undone."
      tools={
        <Button look="primary" onClick={() => setAsking(true)}>
          Dream now
        </Button>
      }
    >
      <Read from={dreams} what="Reading the reports">
        {({ dreams: kept }) =>
          kept.length ? (
            <>
              <ol className="dreams-cycles">
                {kept.map(cycle).map((each, at) => (
                  <li key={each.id}>
                    <Night of={each} open={at === 0} />
                  </li>
                ))}
              </ol>
              {kept.length === FIRST && limit === FIRST && <Button onClick={() => setParameter("all", "yes")}>Show earlier dreams</Button>}
            </>
          ) : (
            <Nothing />
          )
        }
      </Read>
      {asking && <DreamNow close={() => setAsking(false)} />}
    </Page>
  );
}

function Night({ of, open }: { of: Cycle; open: boolean }) {
  const changes = total(of.passes, (pass) => pass.changes.length);
  const skipped = of.passes.filter((pass) => pass.status === "skipped").length;
  const tokens = total(of.passes, (pass) => pass.input_tokens + pass.output_tokens);
  const troubled = of.passes.filter((pass) => pass.status === "failed" || pass.status === "paused").length;
  return (
    <details className="panel dreams-cycle" open={open}>
      <summary>
        <h2>
          <Time at={of.started_at} />
        </h2>
        <span className="dreams-facts">
          <Badge tone={changes ? "accent" : "plain"}>
            {changes} {changes === 1 ? "change" : "changes"}
          </Badge>
          {skipped > 0 && <Badge>{skipped} skipped</Badge>}
          {troubled > 0 && <Badge tone="bad">{troubled} need a look</Badge>}
          <span>{[TRIGGERS[of.trigger] ?? of.trigger, lasted(of.started_at, of.finished_at)].filter(Boolean).join(" · ")}</span>
          <span>{tokens ? `${tokens.toLocaleString()} tokens` : "no tokens"}</span>
        </span>
      </summary>
      <Report of={of} />
    </details>
  );
}

function Nothing() {
  return (
    <Empty title="Nobody has dreamt here yet">
      A dream runs by itself every <code>NACRE_DREAM_HOURS</code> hours once there is something to tidy. “Dream now” starts one, and shows what it
      would do before it does it.
    </Empty>
  );
}
