/** What happened to an entity: when facts began and ended, and who changed what in the log. */

import { useState } from "react";
import { useChange, useRead } from "../../api/queries";
import { useScope } from "../../app/scopes";
import { worded } from "../../app/wording";
import { Badge, Button, Choice } from "../../ui/controls";
import { Panel } from "../../ui/pages";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { useClaims } from "./Claims";
import { happenings, namingOf, type Happening } from "./happenings";
import { InForce } from "./InForce";
import { useLinks } from "./Links";
import { More } from "./Memories";
import { Refusal } from "./refusals";
import type { Change } from "./replies";
import type { Shown } from "./shown";

const FIRST = 20;
const STEP = 40;
const MOST = 200;

export function Timeline({ shown }: { shown: Shown }) {
  const scope = useScope();
  const [limit, setLimit] = useState(FIRST);
  const [kind, setKind] = useState("");
  const claims = useClaims(shown);
  const links = useLinks(shown);
  const timeline = useRead("GET /api/knowledge/entities/{entity}/timeline", { path: { entity: shown.entity.id }, query: { ...scope.api, limit } });
  const tools = (
    <Choice
      label="What to show"
      bare
      value={kind}
      options={[
        ["", "Facts and changes"],
        ["fact", "Facts only"],
        ["change", "Changes only"],
      ]}
      onChange={(event) => setKind(event.target.value)}
    />
  );
  return (
    <Panel title="Timeline" tools={tools}>
      <InForce from={timeline} shown={shown} what="Reading the log">
        {({ items }) => {
          const [aspects, held] = [claims.data?.aspects ?? [], links.data?.items ?? []];
          const changes = items.map(({ record }) => record);
          const all = happenings(changes, aspects, held, shown.asOf).filter((each) => !kind || each.kind === kind);
          const naming = namingOf(shown.entity, aspects, held);
          return (
            <>
              <ol className="entities-timeline">
                {all.map((each) => (
                  <Moment key={each.key} of={each} naming={naming} fixed={shown.fixed} />
                ))}
              </ol>
              {!all.length && <p className="entities-none">Nothing has happened yet.</p>}
              <More shown={items.length >= limit && limit < MOST} click={() => setLimit(Math.min(limit + STEP, MOST))} />
            </>
          );
        }}
      </InForce>
    </Panel>
  );
}

type Naming = (selector: string) => string;

function Moment({ of, naming, fixed }: { of: Happening; naming: Naming; fixed: boolean }) {
  return (
    <li className={of.kind}>
      <Time at={of.at} look={of.kind === "fact" ? "day" : "minute"} />
      {of.change ? <Changed of={of.change} text={worded(of.change.operation, of.change.payload, naming)} fixed={fixed} /> : <p>{of.text}</p>}
    </li>
  );
}

function Changed({ of, text, fixed }: { of: Change; text: string; fixed: boolean }) {
  const scope = useScope();
  const toasts = useToasts();
  const undo = useChange("POST /v1/agents/{agent}/undo", (reply) => toasts.done(reply.summary, reply.record?.id));
  return (
    <div>
      <div className="entities-past">
        <p>{text}</p>
        {of.undone_by && <Badge>taken back</Badge>}
        {!fixed && !of.undone_by && (
          <Button
            look="quiet"
            className="entities-small"
            busy={undo.isPending}
            aria-label={`Undo: ${text}`}
            onClick={() => undo.mutate({ path: scope.path, body: { operation: of.id, ...scope.query } })}
          >
            Undo
          </Button>
        )}
      </div>
      <p className="entities-why">
        by {of.actor}
        {of.reason && `, because: ${of.reason}`}
      </p>
      {undo.error && <Refusal>{undo.error.message}</Refusal>}
    </div>
  );
}
